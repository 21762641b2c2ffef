import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { vectorOf } from "../../fake-upstream/vectors.mjs";
import { AdminClient } from "../../gateway/admin-client.js";
import { suiteGateway } from "../../gateway/suite.js";
import { testKey } from "../../gateway/test-gateway.js";
import { type CommandOptions, runCommand } from "./run-command.js";

/** The gateway's own batches. `fake-batches.ts` is for those that go wrong. */
const suite = suiteGateway(
  ({ baseUrl }) => `
batches: { linesMax: 300 }
upstreams: { main: { provider: openai-compatible, baseUrl: "${baseUrl}" } }
models:
  text: { type: embedding, dimensions: 8, maxTokens: 20, targets: [{ upstream: main, model: m }] }`,
);

let folder: string;
beforeAll(() => suite.upstream.follow({ always: { width: 8 } }));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "real-batches-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = (line: string, limits: Partial<CommandOptions["limits"]> = {}) =>
  runCommand(suite.gateway.url, line.split(" "), {
    folder,
    environment: { GATEWAY_KEY: testKey },
    limits: { lines: 250, bytes: 1_000_000, ...limits },
  });

const read = (name: string) =>
  readFileSync(join(folder, name), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

const write = (name: string, lines: readonly object[]) =>
  writeFileSync(join(folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));

test("reembed runs at bulk priority in few calls, and each row is in the ledger once", async () => {
  const rows = Array.from({ length: 600 }, (_, id) => ({ id, text: `text ${id}` }));
  write("texts.jsonl", [...rows, { id: 600, text: "word ".repeat(100) }]);
  const before = suite.upstream.received.length;

  const { exitCode, stdout } = await run(
    "reembed --from texts.jsonl --out new.jsonl --model text --run --json",
  );

  const calls = suite.upstream.received.length - before;
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ rows: 601, written: 600, failed: 1, gone: 0 });
  expect(read("new.jsonl").map(({ id, embedding }) => [id, embedding])).toEqual(
    rows.map(({ id, text }) => [id, vectorOf(text, 8)]),
  );
  // Without joined lines it would be 600.
  expect(calls).toBeLessThan(60);
  const ledger = await new AdminClient(suite.gateway.url).rowsOnce(602);
  const served = ledger.filter(({ operation, status }) => operation === "createEmbedding" && status === 200);
  // Each row, and the probes of the space: one before the first file, one after each of three.
  expect(served).toHaveLength(600 + 4);
  const files = await suite.gateway.send("/v1/files");
  expect(await files.json()).toMatchObject({ data: [] });
});

test("reembed sends smaller files where the gateway takes fewer lines, and buys nothing twice", async () => {
  const rows = Array.from({ length: 1000 }, (_, id) => ({ id, text: `other ${id}` }));
  write("texts.jsonl", rows);
  const line = "reembed --from texts.jsonl --out smaller.jsonl --model text --run --json";

  const { exitCode, stdout, stderr } = await run(line, { lines: 700 });

  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject({ rows: 1000, written: 1000, failed: 0 });
  expect(read("smaller.jsonl").map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  const files = await suite.gateway.send("/v1/files");
  expect(await files.json()).toMatchObject({ data: [] });
});

test("batch run downloads results and errors", async () => {
  const line = (id: string, input: string) => ({
    custom_id: id,
    method: "POST",
    url: "/v1/embeddings",
    body: { model: "text", input },
  });
  write("input.jsonl", [line("a", "first"), line("b", "word ".repeat(100)), line("c", "third")]);

  const { exitCode, stdout } = await run("batch run input.jsonl --out output.jsonl");

  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/\nbatch_\w+ completed: 2 of 3 lines succeeded, 1 failed, after \d+ s\n/);
  expect(stdout).toMatch(/\n {2}tokens +[1-9]\d*\n$/);
  expect(read("output.jsonl").map(({ custom_id }) => custom_id)).toEqual(["a", "c"]);
  expect(read("output.errors.jsonl")).toMatchObject([{ custom_id: "b", response: { status_code: 400 } }]);
});

test("a file with faults is refused by line", async () => {
  write("input.jsonl", [
    { custom_id: "a", method: "POST", url: "/v1/embeddings", body: { model: "none", input: "x" } },
  ]);

  const { exitCode, stdout } = await run("batch run input.jsonl --out output.jsonl");

  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/ failed: 0 of \d lines? succeeded/);
  expect(stdout).toContain("  line 1: ");
});
