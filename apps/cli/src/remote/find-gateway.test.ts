import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeRunFile } from "@model-gateway/data-folder/run-file";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findGateway } from "./find-gateway.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "find-gateway-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = {
  url: "http://127.0.0.1:4711",
  pid: 7,
  version: "1.0.0",
  startedAt: "2026-08-19T14:34:46.123Z",
  secret: "mg_local_x",
};

function runIn(name: string): void {
  mkdirSync(join(folder, name));
  writeRunFile(join(folder, name), run);
}

function find(
  options: Partial<Parameters<typeof findGateway>[0]> = {},
  environment: Readonly<Record<string, string>> = {},
) {
  const none = { url: undefined, "admin-key-file": undefined, config: undefined };
  return findGateway({ ...none, ...options }, { environment, workingDirectory: folder });
}

test("without anything it is the default address, and there is no key", () => {
  const { url, from, run: found, adminKey, apiKey } = find();

  expect({ url, from, found, adminKey, apiKey }).toEqual({
    url: "http://127.0.0.1:8080",
    from: "the default address",
  });
});

test.each([
  ["the default folder", "data", {}, undefined],
  ["DATA_DIR", "elsewhere", { DATA_DIR: "./elsewhere" }, undefined],
  [
    "the file of --config, although it is not valid",
    "kept",
    {},
    "dataDir: ./kept\nkeys: [{ key: '${UNSET}' }]\nnonsense: 1",
  ],
])("a running gateway is found through %s", (_name, dataDir, environment, config) => {
  runIn(dataDir);
  if (config !== undefined) writeFileSync(join(folder, "g.yaml"), config);

  const found = find(config === undefined ? {} : { config: "g.yaml" }, environment);

  const file = join(folder, dataDir, "run.json");
  expect(found).toMatchObject({ url: run.url, from: file, run, adminKey: { text: run.secret, from: file } });
});

test("--url wins over MODEL_GATEWAY_URL, which wins over the data folder", () => {
  runIn("data");
  const environment = { MODEL_GATEWAY_URL: "http://two/v1/" };

  expect(find({ url: "https://one:1/base/" }, environment)).toMatchObject({
    url: "https://one:1/base",
    from: "--url",
  });
  expect(find({}, environment)).toMatchObject({ url: "http://two", from: "MODEL_GATEWAY_URL" });
});

test("the secret of a run goes to its own address and nowhere else", () => {
  runIn("data");

  expect(find({ url: "http://127.0.0.1:4712" })).toMatchObject({ run: undefined, adminKey: undefined });
  expect(find({ url: "http://127.0.0.1:4711/" })).toMatchObject({ adminKey: { text: run.secret } });
});

test("the admin key is that of the option, of the variable or of its file", () => {
  writeFileSync(join(folder, "key"), "from-file\n");
  runIn("data");
  const variable = { GATEWAY_ADMIN_KEY: "from-variable", GATEWAY_KEY: "caller" };

  expect(find({ "admin-key-file": "key" }, variable).adminKey).toEqual({
    text: "from-file",
    from: "the file key",
  });
  expect(find({}, variable)).toMatchObject({
    adminKey: { text: "from-variable", from: "GATEWAY_ADMIN_KEY" },
    apiKey: { text: "caller", from: "GATEWAY_KEY" },
  });
  expect(find({}, { GATEWAY_ADMIN_KEY_FILE: "key" }).adminKey).toEqual({
    text: "from-file",
    from: "the file key",
  });
});

test.each([
  [{ url: "gateway" }, "--url must be the address of a gateway, such as http://127.0.0.1:8080."],
  [{ url: "ftp://host" }, "--url must be the address of a gateway, such as http://127.0.0.1:8080."],
  [
    { url: "http://me:secret@host" },
    "--url must not contain a password. Put the admin key into GATEWAY_ADMIN_KEY or --admin-key-file.",
  ],
  [
    { "admin-key-file": "none" },
    /^--admin-key-file names the file .*none, which cannot be read \(ENOENT\)\.$/,
  ],
  [{ config: "none.yaml" }, /none\.yaml: the file does not exist/],
])("%j is refused in a sentence", (options, message) => {
  expect(() => find(options)).toThrow(message);
});
