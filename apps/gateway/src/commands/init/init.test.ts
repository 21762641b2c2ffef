import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { loadConfig } from "@model-gateway/config/load-config";
import { providers } from "@model-gateway/providers/registry";
import { providerTools } from "@model-gateway/providers/test/tools";
import { withTimeout } from "@model-gateway/runtime/with-timeout";
import { afterEach, beforeEach, expect, test } from "vitest";
import { converse } from "./conversation.js";
import { initConfig } from "./init.js";

const key = "sk-secret-0123456789";
let folder: string;
let server: Server;
let port: number;
let requests: string[];

/** An upstream with OpenAI's list and Ollama's, which refuses any other key. */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "init-"));
  requests = [];
  server = createServer(({ method, url = "", headers }, response) => {
    requests.push([method, url, ...(headers.authorization?.split(" ").slice(1) ?? [])].join(" "));
    if (url === "/api/tags")
      return void response.end(JSON.stringify({ models: [{ name: "nomic-embed-text:latest" }] }));
    const isKnown = headers.authorization === `Bearer ${key}`;
    response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" });
    response.end(
      JSON.stringify(isKnown ? { data: [{ id: "text-embedding-3-small" }] } : { error: { message: "no" } }),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function place(environment: Record<string, string> = {}) {
  return { environment, workingDirectory: folder, tools: () => providerTools() };
}

/** A person who gives these answers, and reads. */
function person(...answers: string[]) {
  const read: string[] = [];
  const ask = (question: string) => {
    read.push(question);
    const answer = answers.shift();
    return answer === undefined
      ? Promise.reject(new Error(`No answer: ${question}`))
      : Promise.resolve(answer);
  };
  return { read, conversation: { ask, askSecret: ask, say: (text: string) => void read.push(text) } };
}

const written = () => readFileSync(join(folder, "gateway.yaml"), "utf8");
/** The servers of this machine are not looked for. */
const detectionTools = {
  providers: providers.map(({ servers: _servers, ...provider }) => provider),
  withTimeout,
};
const options = { out: "gateway.yaml", force: false, detects: true, detectionTools };

test("without questions it writes what was found, which loads and has no secret", async () => {
  const environment = { OPENAI_API_KEY: key, OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` };

  const text = await initConfig(options, place(environment));

  expect(text).toContain("openai (OPENAI_API_KEY, OPENAI_BASE_URL): text-embedding-3-small, ");
  expect(written()).not.toContain(key);
  expect(written()).toContain("# OPENAI_API_KEY, OPENAI_BASE_URL\n  openai:\n    provider: openai\n");
  const { models, file } = loadConfig({ environment, workingDirectory: folder });
  expect(file).toBe(join(folder, "gateway.yaml"));
  expect([...models.keys()].slice(0, 4)).toEqual([
    "gte-small",
    "all-MiniLM-L6-v2",
    "local-sketch",
    "text-embedding-3-small",
  ]);
  // Nothing is called.
  expect(requests).toEqual([]);
});

test("without detection it writes the local models", async () => {
  await initConfig({ ...options, detects: false }, place({ OPENAI_API_KEY: key }));

  expect(written()).not.toContain("openai");
  expect(loadConfig({ environment: {}, workingDirectory: folder }).models.size).toBe(3);
});

test("an exported GATEWAY_KEY is the callers' key in the file", async () => {
  await initConfig({ ...options, detects: false }, place({ GATEWAY_KEY: "callers-key-0123" }));

  expect(written()).toContain('\nkeys:\n  - { name: environment, key: "${GATEWAY_KEY}" }\n');
});

test("a file that exists is kept, unless it is forced", async () => {
  writeFileSync(join(folder, "gateway.yaml"), "mine");

  await expect(initConfig(options, place())).rejects.toThrow(
    "gateway.yaml exists already. Use --force to overwrite it, or another --out.",
  );
  expect(written()).toBe("mine");

  await initConfig({ ...options, force: true }, place());
  expect(written()).toContain("upstreams:");
});

test("on a terminal each upstream is tried with one request, and the result is a sentence", async () => {
  const environment = { OPENAI_API_KEY: key, OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` };
  const { read, conversation } = person("");

  await initConfig({ ...options, conversation }, place(environment));

  expect(read[0]).toBe("Found: OPENAI_API_KEY, OPENAI_BASE_URL");
  expect(read.at(-1)).toBe("openai: it works, and lists 1 model.");
  expect(requests).toEqual([`GET /v1/models ${key}`]);
});

test("a refused key is a sentence, and the file is written nevertheless", async () => {
  const environment = { OPENAI_API_KEY: "wrong-key", OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` };
  const { read, conversation } = person("");

  await initConfig({ ...options, conversation }, place(environment));

  expect(read.at(-1)).toMatch(/^openai: it does not work yet\. The upstream refused the gateway.s own key\./);
  expect(read.join()).not.toContain("wrong-key");
  expect(existsSync(join(folder, "gateway.yaml"))).toBe(true);
});

test("providers are added by the names of variables, which need not be set yet", async () => {
  const { read, conversation } = person("voyag", "voyage, stability", "", "MY_STABILITY_KEY");

  const text = await initConfig({ ...options, conversation }, place({ MY_STABILITY_KEY: "k" }));

  expect(read).toContain('"voyag" is not in the list. Did you mean voyage?');
  expect(read).toContain("stability: not tried, because each image costs money.");
  expect(read).toContain("voyage: not tried. Export VOYAGE_API_KEY before you start the gateway.");
  expect(text).toContain("Export VOYAGE_API_KEY before you start the gateway.");
  expect(written()).toContain("apiKey: ${VOYAGE_API_KEY}");
  expect(written()).toContain("apiKey: ${MY_STABILITY_KEY}");
  expect(existsSync(join(folder, "data"))).toBe(false);
});

test("a pasted key is used for the trial, stored for this user alone, and found by the next start", async () => {
  const { read, conversation } = person("ollama", `http://127.0.0.1:${port}`, "two words", key);

  const text = await initConfig({ ...options, detects: false, conversation }, place());

  expect(read).toContain("A key has no spaces, and a variable has a name such as MY_API_KEY.");
  expect(read).toContain("Kept as OLLAMA_API_KEY.");
  expect(requests.at(-1)).toBe(`POST /api/embed ${key}`);
  const secrets = join(folder, "data/secrets");
  expect(text).toContain(`Stored OLLAMA_API_KEY in ${secrets}, which only this user can read.`);
  expect(text).not.toContain("Export");
  expect(written()).toContain("apiKey: ${OLLAMA_API_KEY}");
  expect(written()).not.toContain(key);
  expect(readFileSync(join(secrets, "OLLAMA_API_KEY"), "utf8")).toBe(`${key}\n`);
  expect([secrets, join(secrets, "OLLAMA_API_KEY")].map((path) => statSync(path).mode & 0o777)).toEqual([
    0o700, 0o600,
  ]);
  expect(loadConfig({ environment: {}, workingDirectory: folder }).secrets).toContain(key);
});

test("a pasted key that the environment has is not stored, and another one gets its own name", async () => {
  const environment = { STABILITY_API_KEY: "sk-exported", BFL_API_KEY: "bf-exported" };
  const { conversation } = person("stability, bfl", "sk-exported", "bf-another");

  await initConfig({ ...options, detects: false, conversation }, place(environment));

  expect(written()).toContain("apiKey: ${STABILITY_API_KEY}");
  expect(written()).toContain("apiKey: ${BFL_API_KEY_2}");
  expect(readdirSync(join(folder, "data/secrets"))).toEqual(["BFL_API_KEY_2"]);
});

test("a file that cannot be written leaves no key behind", async () => {
  mkdirSync(join(folder, "gateway.yaml"));
  const { conversation } = person("stability", key);

  await expect(
    initConfig({ ...options, force: true, detects: false, conversation }, place()),
  ).rejects.toThrow("gateway.yaml cannot be written (EISDIR).");

  expect(readdirSync(join(folder, "data/secrets"))).toEqual([]);
});

test("a folder that does not exist is refused before a question", async () => {
  const { read, conversation } = person();

  await expect(
    initConfig({ ...options, out: "nowhere/gateway.yaml", conversation }, place()),
  ).rejects.toThrow("nowhere/gateway.yaml cannot be written (ENOENT).");

  expect(read).toEqual([]);
});

test("deployments have names that are not known, so that none is tried", async () => {
  const { read, conversation } = person("azure", "AZURE_KEY", "https://mine.openai.azure.com");

  await initConfig({ ...options, conversation }, place({ AZURE_KEY: "k" }));

  expect(read).toContain("azure: not tried, because the names of its models are not known.");
  expect(written()).toContain("azure/embeddings/*:");
});

test("a server that is named is asked for its models, and an invalid address is asked for again", async () => {
  const { read, conversation } = person("ollama", "nowhere", "", `http://127.0.0.1:${port}`, "");

  await initConfig({ ...options, detects: false, conversation }, place());

  expect(read).toContain("baseUrl must be an http or https URL.");
  expect(written()).toContain(`baseUrl: http://127.0.0.1:${port}`);
  expect(written()).toContain("nomic-embed-text:");
});

test("a person who closes the terminal gets a sentence, and no file", async () => {
  const input = new PassThrough();
  const run = converse({ input, output: new PassThrough() }, (conversation) =>
    initConfig({ ...options, detects: false, conversation }, place()),
  );
  input.end();

  await expect(run).rejects.toThrow("Stopped. No file was written.");
  expect(existsSync(join(folder, "gateway.yaml"))).toBe(false);
});
