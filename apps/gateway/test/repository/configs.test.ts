import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkConfig } from "@model-gateway/cli/check";
import { errorTable } from "@model-gateway/domain/errors";
import { createAuthority } from "@model-gateway/test-suite/certificates";
import { beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { credentialTools } from "../../src/process/command-tools.js";
import { type Block, blocksIn, copiedLanguages, readBlocks } from "./blocks.js";

/** Other programs' files, by their first key. `test/repository/deploy` has their tests. */
const ofOthers: Readonly<Record<string, string>> = {
  scrape_configs: "the configuration of Prometheus",
  groups: "an alert rule of Prometheus",
  secretEnv: "values of the chart",
  spring: "the settings of Spring AI, which test/in-process/compat/recipes.test.ts reads",
};

/** Upstreams and models that a block names but does not show. */
const upstreams = Object.fromEntries(
  ["openai", "azure", "shed", "inside", "other"].map((name) => [
    name,
    { provider: "openai-compatible", baseUrl: `http://${name}.internal/v1` },
  ]),
);
const modelsAt = (upstream = "openai") => ({
  "text-embedding-3-small": { type: "embedding", targets: [{ upstream, model: "text-embedding-3-small" }] },
  "gpt-image-2": { type: "image", targets: [{ upstream, model: "gpt-image-2" }] },
});

let folder: string;
let environment: Record<string, string>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "guides-"));
  const authority = await createAuthority();
  const { cert, key } = await authority.issue();
  for (const name of ["certificates", "models/my-model"]) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, "certificates/gateway.pem"), cert);
  writeFileSync(join(folder, "certificates/gateway-key.pem"), key);
  writeFileSync(join(folder, "certificates/ca.pem"), authority.ca);
  environment = {
    ADA_KEY: "the-key-of-ada-0123456789",
    GRAFANA_KEY: "the-key-of-grafana-0123456789",
    CLIENT_KEY: key,
    WEBHOOK_SECRET: Buffer.alloc(32, 7).toString("base64"),
  };
});

/** The block unchanged, with the rest of a whole file. */
function complete({ text }: Block): string {
  const block = parse(text);
  if ("price" in block) {
    // A price belongs to a model.
    const id = "perMillionTokens" in block.price ? "text-embedding-3-small" : "gpt-image-2";
    return JSON.stringify({ upstreams, models: { [id]: { ...modelsAt()[id], ...block } } });
  }
  const models = modelsAt(Object.keys(block.upstreams ?? upstreams)[0]);
  const missing = Object.entries({ upstreams, models }).filter(([name]) => !(name in block));
  return [text, ...missing.map(([name, value]) => `${name}: ${JSON.stringify(value)}`)].join("\n");
}

test.each(blocksIn("yaml"))("the configuration at %s is accepted", async (_place, block) => {
  const [first = ""] = Object.keys(parse(block.text));
  if (first in ofOthers) return;
  const file = join(folder, "gateway.yaml");
  writeFileSync(file, complete(block));
  const variables = [...block.text.matchAll(/\$\{(\w+)\}/g)].map(([, name = ""]) => name);

  const summary = await checkConfig(file, {
    detects: false,
    tools: credentialTools,
    workingDirectory: folder,
    environment: {
      ...Object.fromEntries(variables.map((name) => [name, "a-secret-of-more-than-32-characters"])),
      ...environment,
    },
  });

  expect(summary).toMatch(/^OK: /);
});

test.each(blocksIn("json"))("the JSON at %s is valid, and an error is in the table", (_place, { text }) => {
  const { error } = JSON.parse(text);
  if (error === undefined) return;

  const known = Object.entries(errorTable).find(([code]) => code === error.code)?.[1];
  expect(Object.keys(error)).toEqual(["message", "type", "param", "code"]);
  expect(known?.type).toBe(error.type);
});

test("every block has a language, so that a test knows how to check it", () => {
  const known: readonly string[] = [...copiedLanguages, "text", "diagram"];

  const blocks = readBlocks();

  expect(blocks.length).toBeGreaterThan(70);
  expect(blocks.filter(({ language }) => !known.includes(language)).map(({ place }) => place)).toEqual([]);
});
