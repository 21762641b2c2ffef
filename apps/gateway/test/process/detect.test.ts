import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Schemas } from "@model-gateway/domain/operations";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type BuiltGateway, GatewayFolder, patientTimers } from "../gateway/built.js";
import { testAdminKey, testKey } from "../gateway/test-gateway.js";
import { openAiKey, startFakeOpenAi } from "../in-process/providers/openai/fake-openai.js";
import type { StrictServer } from "../in-process/providers/strict-server.js";
import { describeServed, openServers } from "../servers/stages.js";

/** The built gateway in an empty folder: keys of providers and servers of this machine are enough. */
let folder: GatewayFolder;
let openAi: StrictServer;
let ollama: Server;
let environment: Record<string, string>;

beforeEach(async () => {
  folder = new GatewayFolder();
  openAi = await startFakeOpenAi();
  ollama = createServer(({ url }, response) => {
    const models = [{ name: "nomic-embed-text:latest", capabilities: ["embedding"] }];
    response.writeHead(url === "/api/tags" ? 200 : 404).end(JSON.stringify({ models }));
  }).listen(0, "127.0.0.1");
  await once(ollama, "listening");
  environment = {
    GATEWAY_DETECT: "on",
    GATEWAY_KEY: testKey,
    OPENAI_API_KEY: openAiKey,
    OPENAI_BASE_URL: `${openAi.origin}/v1`,
    OLLAMA_HOST: `127.0.0.1:${(ollama.address() as AddressInfo).port}`,
    AZURE_OPENAI_API_KEY: "azure-secret",
    AZURE_OPENAI_ENDPOINT: "not-an-address",
  };
});
afterEach(async () => {
  await folder.remove();
  openAi.close();
  ollama.closeAllConnections();
  ollama.close();
});

/** On a busy machine, a list may come when the time for it is over. */
const options = { preload: patientTimers };

const localModels = ["gte-small", "all-MiniLM-L6-v2", "local-sketch"];
const found = [
  ...localModels,
  "text-embedding-3-small",
  "text-embedding-3-large",
  "gpt-image-2",
  "gpt-image-2.5-flare",
  "gpt-image-2.5-sunburst",
  "gpt-image-2.6-flare",
  "gpt-image-2.6-sunburst",
  "nomic-embed-text",
];

async function modelsOf({ send }: Pick<BuiltGateway, "send">): Promise<string[]> {
  const { data } = (await (await send("/v1/models")).json()) as Schemas["ModelList"];
  return data.map(({ id }) => id);
}

async function embed({ sendJson }: BuiltGateway): Promise<unknown> {
  const response = await sendJson("/v1/embeddings", { model: "text-embedding-3-small", input: "a cat" });
  const { data } = (await response.json()) as { data?: { embedding: number[] }[] };
  return { status: response.status, width: data?.[0]?.embedding.length };
}

test("with a key in the environment, OpenAI's models answer without any file", async () => {
  const gateway = await folder.start(environment, options);

  expect(await modelsOf(gateway)).toEqual(found);
  expect(await embed(gateway)).toEqual({ status: 200, width: 1536 });
  expect(openAi.bodies).toMatchObject([{ model: "text-embedding-3-small", input: ["a cat"] }]);
  expect(existsSync(join(folder.folder, "gateway.yaml"))).toBe(false);
});

test("the greeting names the sources, a warning names the variable, and no key appears anywhere", async () => {
  const gateway = await folder.start(environment, options);

  const configuration = await fetch(`${gateway.url}/admin/v1/configuration`, {
    headers: { authorization: `Bearer ${testAdminKey}` },
  });
  const shown = await configuration.text();
  await embed(gateway);
  await gateway.stop();

  const output = gateway.stdout();
  expect(output).toMatch(
    /Found +OPENAI_API_KEY, OPENAI_BASE_URL: text-embedding-3-small, text-embedding-3-large, /,
  );
  expect(output).toMatch(/\n +OLLAMA_HOST: nomic-embed-text\n/);
  expect(gateway.logLines.join("")).toContain(
    "AZURE_OPENAI_ENDPOINT must be an http or https URL. Azure OpenAI was left out.",
  );
  expect(shown).toContain("text-embedding-3-small");
  for (const text of [shown, output, gateway.stderr()]) {
    expect(text).not.toContain(openAiKey);
    expect(text).not.toContain("azure-secret");
    expect(text).not.toContain("not-an-address");
  }
});

test("a reload keeps what was found, although the server is gone", async () => {
  const gateway = await folder.start(environment, options);
  ollama.closeAllConnections();
  ollama.close();

  gateway.process.kill("SIGHUP");
  await expect.poll(() => gateway.logLines.join("")).toContain("The configuration was reloaded.");

  expect(await modelsOf(gateway)).toEqual(found);
});

test.each([
  ["--no-detect", {}, ["--no-detect"]],
  ["GATEWAY_DETECT=off", { GATEWAY_DETECT: "off" }, []],
])("%s leaves the local models alone", async (_name, more, flags) => {
  const launched = folder.launch({ ...environment, ...more }, { flags, ...options });
  const url = await launched.listening();

  const send = (path: string) => fetch(`${url}${path}`, { headers: { authorization: `Bearer ${testKey}` } });
  expect(await modelsOf({ send })).toEqual(localModels);
  expect(launched.stdout()).not.toContain("OPENAI_API_KEY");
});

async function run(flags: readonly string[], more: Record<string, string> = {}) {
  const launched = folder.launch({ ...environment, ...more }, { flags, ...options });
  const exitCode = await launched.exit;
  return { exitCode, stdout: launched.stdout(), stderr: launched.stderr() };
}

test("check says what a start would find, and refuses another value of the variable", async () => {
  const checked = await run(["check"]);
  const refused = await run(["check"], { GATEWAY_DETECT: "maybe" });

  expect(checked).toMatchObject({ exitCode: 0, stderr: "" });
  expect(checked.stdout).toMatch(
    /^OK: the built-in configuration\nfound\n {2}OPENAI_API_KEY, OPENAI_BASE_URL: 7 models\n {2}OLLAMA_HOST: 1 model\n3 upstreams\n/,
  );
  expect(checked.stdout).toContain("1 warning\n  AZURE_OPENAI_ENDPOINT must be");
  expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
  expect(refused.stderr).toContain("the environment variable GATEWAY_DETECT: must be on or off");
});

test("init writes the same as a file, with which the gateway starts", async () => {
  const { exitCode, stdout } = await run(["init"]);
  const again = await run(["init"]);

  expect(exitCode).toBe(0);
  expect(stdout).toContain("Wrote gateway.yaml with the local models and these upstreams:\n");
  expect(again).toMatchObject({
    exitCode: 1,
    stdout: "",
    stderr: "gateway.yaml exists already. Use --force to overwrite it, or another --out.\n",
  });

  const gateway = await folder.start(environment, options);
  expect(await modelsOf(gateway)).toEqual(found);
  expect(await embed(gateway)).toEqual({ status: 200, width: 1536 });
  expect(gateway.stdout()).not.toContain("Found");
});

describeServed("two workers", () => {
  test("have the same models, although each server is asked once", async () => {
    const servers = await openServers();
    let lists = 0;
    ollama.on("request", ({ url }) => {
      if (url === "/api/tags") lists += 1;
    });
    try {
      const gateway = await folder.start({ ...environment, ...servers.environment, WORKERS: "2" }, options);

      for (let count = 0; count < 4; count += 1) expect(await modelsOf(gateway)).toEqual(found);
      expect(lists).toBe(1);
      expect(gateway.stdout().match(/^ +Found /gm)).toHaveLength(1);
    } finally {
      await servers.close();
    }
  });
});
