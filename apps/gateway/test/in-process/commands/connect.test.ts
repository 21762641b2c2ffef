import { connectedTools } from "@model-gateway/cli/command-table";
import { sentenceTokens } from "@model-gateway/cli/connect/tools";
import { encode } from "gpt-tokenizer/encoding/cl100k_base";
import { beforeAll, describe, expect, test } from "vitest";
import { suiteGateway } from "../../gateway/suite.js";
import { runCommand } from "./run-command.js";

const suite = suiteGateway(
  ({ baseUrl }) => `
upstreams: { main: { provider: openai-compatible, baseUrl: "${baseUrl}" } }
models:
  text: { type: embedding, aliases: [text-embed], dimensions: 8, maxTokens: 100, targets: [{ upstream: main, model: m }] }
  picture: { type: image, profile: gpt-image, targets: [{ upstream: main, model: image }] }`,
);
beforeAll(() => suite.upstream.follow({ always: { width: 8 } }));

const run = (...args: string[]) => runCommand(suite.gateway.url, ["connect", ...args]);

/** Strings that the settings of each must have, besides the address. */
const expected: Readonly<Record<(typeof connectedTools)[number], readonly string[]>> = {
  "open-webui": [
    "RAG_EMBEDDING_MODEL=text",
    "RAG_OPENAI_API_KEY=$GATEWAY_KEY",
    "IMAGE_GENERATION_MODEL=picture",
  ],
  langchain: ['model="text"', 'os.environ["GATEWAY_KEY"]', "check_embedding_ctx_length=False"],
  continue: ['model: "text"', "${{ secrets.GATEWAY_KEY }}", "maxChunkSize: 80"],
  dify: ["Model Name: text", "Model context size: 100"],
  n8n: ["Embeddings OpenAI: Model: text-embed"],
};

test.each(connectedTools)("the settings of %s are printed and work", async (tool) => {
  const { exitCode, stdout, stderr } = await run(tool);
  const json = JSON.parse((await run(tool, "--json")).stdout);

  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toContain(`${suite.gateway.url}/v1`);
  for (const part of expected[tool]) expect(stdout).toContain(part);
  expect(stdout).toMatch(/\nChecked:\n {2}works {2}/);
  expect(stdout).toContain("host.docker.internal");
  expect(json).toMatchObject({ tool, base_url: `${suite.gateway.url}/v1`, key_variable: "GATEWAY_KEY" });
  expect(json.checks.every(({ ok }: { ok: boolean }) => ok)).toBe(true);
});

describe("images", () => {
  test("are created only with --image", async () => {
    const countImages = () => suite.upstream.received.filter(({ path }) => path.includes("images")).length;
    const before = countImages();

    const without = await run("open-webui");
    const between = countImages();
    const tried = await run("open-webui", "--image");

    expect(without.stdout).toContain("The image settings were not tried. Add --image to create one.");
    expect([before, between, countImages()]).toEqual([0, 0, 1]);
    expect(tried.stdout).toMatch(/works {2}POST \/v1\/images\/generations +an image of \d+ bytes/);
  });
});

test("a check that fails says why, and the exit code is 1", async () => {
  suite.upstream.follow({ always: { width: 8, faults: [{ kind: "reply", status: 401 }] } });

  const { exitCode, stdout } = await run("dify");
  suite.upstream.follow({ always: { width: 8 } });

  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/\nThe check failed:\n {2}fails {2}POST .* upstream/);
});

test("a model that does not embed is refused", async () => {
  const { exitCode, stderr } = await run("n8n", "--model", "picture");

  expect(exitCode).toBe(1);
  expect(stderr).toBe(
    '"picture" is not an embedding model of the gateway. npx @model-gateway/gateway models lists all.',
  );
});

test("the token ids for LangChain are those of its sentence", () => {
  expect(sentenceTokens).toEqual(encode("The cat sat on the mat."));
});
