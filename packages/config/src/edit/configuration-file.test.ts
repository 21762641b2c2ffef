import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ConfigurationFile } from "./configuration-file.js";

const present = `
upstreams: { one: { provider: openai, apiKey: "\${OPENAI_API_KEY}" } }
models: { m: { type: embedding, targets: [{ upstream: one, model: m }] } }
`;
const added = { upstreams: { two: { provider: "openai", apiKey: "sk-secret-0123456789" } } };
let folder: string;
const path = () => join(folder, "gateway.yaml");
const learned: string[] = [];
const learn = (secret: string) => void learned.push(secret);
const open = () =>
  new ConfigurationFile({ environment: { OPENAI_API_KEY: "sk-env-0123456789" }, workingDirectory: folder });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "configuration-file-"));
  writeFileSync(path(), present);
  learned.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true }));

test("an edit by hand between the check and the write is not lost", async () => {
  const file = open();
  const prepared = file.prepare(added, learn);
  writeFileSync(path(), `${present}# by hand\n`);

  await expect(file.write(prepared)).rejects.toMatchObject({ code: "configuration_changed" });

  expect(readFileSync(path(), "utf8")).toBe(`${present}# by hand\n`);
  expect(readdirSync(join(folder, "data", "secrets"))).toEqual([]);
});

test("a secret gets a name that neither the environment nor the file has, and is known before the check", () => {
  const { lines, secrets } = open().prepare(added, learn);

  expect([...secrets]).toEqual([["TWO_API_KEY", "sk-secret-0123456789"]]);
  expect(lines).toContain("apiKey: ${TWO_API_KEY}");
  expect(learned).toEqual(["sk-secret-0123456789"]);
  expect(() => open().prepare({ upstreams: { two: { ...added.upstreams.two, what: 1 } } }, learn)).toThrow(
    "Invalid 'upstreams.two.what': is not a known key",
  );
  expect(learned).toHaveLength(2);
});

test("what is taken back is as it was, and the kept text is still the one before", async () => {
  const file = open();
  const prepared = file.prepare(added, learn);
  await file.write(prepared);

  await file.restore(prepared);

  expect(readFileSync(path(), "utf8")).toBe(present);
  expect(readFileSync(`${path()}.previous`, "utf8")).toBe(present);
  expect(readdirSync(join(folder, "data", "secrets"))).toEqual([]);
});

test("a trial names the input type that a provider needs", () => {
  const model = { type: "embedding", name: "embed-v4.0" } as const;
  const trial = open().readTrial(
    { upstream: { provider: "cohere", apiKey: "co-0123456789" }, name: undefined, model },
    learn,
  );

  expect(trial.model).toMatchObject({ id: "embed-v4.0", inputType: "document" });
});
