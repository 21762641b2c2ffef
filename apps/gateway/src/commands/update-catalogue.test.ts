import { generateKeyPairSync, sign } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCatalogue } from "@model-gateway/catalogue/open-catalogue";
import { expect, test } from "vitest";
import { updateCatalogue } from "./update-catalogue.js";

const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const pem = publicKey.export({ type: "spki", format: "pem" });
const row = {
  provider: "openai",
  model: "gpt-image-9",
  kind: "image",
  prices: [{ billable: "output_image", unit: "image", usd: 0.04 }],
  sources: [{ url: "https://openai.com/pricing", facts: ["prices"], read_on: "2026-01-01" }],
};
const content = {
  date: "2099-01-01",
  providers: { openai: { hosts: ["api.openai.com"], pages: ["openai.com"] } },
  models: [row],
  families: [],
};

/** A folder with a catalogue and its signature. */
function folderWith(value: object, signer = privateKey): string {
  const folder = mkdtempSync(join(tmpdir(), "update-"));
  const text = JSON.stringify(value);
  writeFileSync(join(folder, "new.json"), text);
  writeFileSync(
    join(folder, "new.json.sig"),
    `${sign(null, Buffer.from(text), signer).toString("base64")}\n`,
  );
  writeFileSync(join(folder, "key.pem"), pem);
  return folder;
}

function update(folder: string, more: object = {}, fetchFile = {}) {
  return updateCatalogue(
    {
      name: "catalogue update",
      from: "new.json",
      "public-key": "key.pem",
      "dry-run": false,
      config: undefined,
      ...more,
    },
    { environment: {}, workingDirectory: folder, ...fetchFile },
  );
}

test("a signed catalogue is compared, and written to the data folder", async () => {
  const folder = folderWith(content);

  const text = await update(folder);

  expect(text).toContain("+ openai gpt-image-9: image; output_image image $0.04\n");
  expect(text).toContain("- openai gpt-image-2\n");
  expect(text).toContain(`Wrote ${join(folder, "data/catalogue.json")}.\n`);
  expect(openCatalogue(join(folder, "data")).catalogue.date).toBe("2099-01-01");
});

test("the difference names changed fields and prices, and a dry run writes nothing", async () => {
  const folder = folderWith(content);
  await update(folder);
  const later = {
    ...row,
    prices: [{ ...row.prices[0], usd: 0.05 }],
    shutdown_on: "2099-06-01",
    sources: [{ ...row.sources[0], facts: ["prices", "end"], read_on: "2099-01-31" }],
  };
  const next = folderWith({ ...content, date: "2099-02-01", models: [later] });
  const environment = { DATA_DIR: join(folder, "data") };

  const text = await update(next, { "dry-run": true }, { environment });

  expect(text).toBe(`The catalogue of 2099-02-01, signed. In use: 2099-01-01.
~ openai gpt-image-9: output_image image $0.04 -> $0.05; shutdown_on none -> 2099-06-01
Nothing was written.
`);
  expect(openCatalogue(join(folder, "data")).catalogue.date).toBe("2099-01-01");
});

test.each([
  ["a changed catalogue", { ...content, date: "2099-03-01" }, "The signature is not from key.pem."],
])("%s is refused", async (_name, changed, message) => {
  const folder = folderWith(content);
  writeFileSync(join(folder, "new.json"), JSON.stringify(changed));

  await expect(update(folder)).rejects.toThrow(message);
  expect(existsSync(join(folder, "data"))).toBe(false);
});

test("a catalogue that others have signed is refused, and so is a command without a key", async () => {
  const other = folderWith(content, generateKeyPairSync("ed25519").privateKey);

  await expect(update(other)).rejects.toThrow("The signature is not from key.pem.");
  await expect(update(folderWith(content), { "public-key": undefined })).rejects.toThrow(
    "catalogue update needs --public-key <file>.",
  );
});

test("a URL's catalogue that others have signed is refused, and nothing is written", async () => {
  const folder = folderWith(content, generateKeyPairSync("ed25519").privateKey);
  const fetchFile = async (url: string) =>
    readFileSync(join(folder, url.endsWith(".sig") ? "new.json.sig" : "new.json"));

  const from = "https://facts.example/catalogue.json";
  await expect(update(folder, { from }, { fetchFile })).rejects.toThrow("The signature is not from key.pem.");

  expect(existsSync(join(folder, "data"))).toBe(false);
});

test.each([
  ["is older than the one in use", { ...content, date: "2020-01-01" }, "An older one is not written."],
  ["is not a catalogue", { models: [] }, "It is not a catalogue: date"],
])("a signed file that %s is refused", async (_name, value, message) => {
  await expect(update(folderWith(value))).rejects.toThrow(message);
});

test("a missing signature and a wrong key are named", async () => {
  const folder = folderWith(content);
  writeFileSync(join(folder, "new.json.sig"), "c2hvcnQ=");

  await expect(update(folder)).rejects.toThrow("not an Ed25519 signature");
  await expect(update(folder, { from: "none.json" })).rejects.toThrow("none.json cannot be read (ENOENT).");
  await expect(update(folder, { from: undefined })).rejects.toThrow("needs --from");
  writeFileSync(join(folder, "key.pem"), "no key");
  await expect(update(folderWith(content), { "public-key": join(folder, "key.pem") })).rejects.toThrow(
    "is not a public key in PEM.",
  );
});

test("a URL is fetched with its signature, and the query stays at the end", async () => {
  const folder = folderWith(content);
  const asked: string[] = [];
  const fetchFile = async (url: string) => {
    asked.push(url);
    return readFileSync(join(folder, url.includes(".sig") ? "new.json.sig" : "new.json"));
  };

  const from = "https://facts.example/catalogue.json?v=1";
  await expect(update(folder, { from }, { fetchFile })).resolves.toContain("Wrote ");

  expect(asked).toEqual([from, "https://facts.example/catalogue.json.sig?v=1"]);
});

test.each(["http://facts.example/c.json", "https://127.0.0.1:1/c.json", "https://localhost/c.json"])(
  "%s is not fetched",
  async (from) => {
    let requests = 0;
    const server = createServer(() => (requests += 1)).listen(0, "127.0.0.1");

    await expect(update(folderWith(content), { from })).rejects.toThrow("cannot be fetched.");

    server.close();
    expect(requests).toBe(0);
  },
);
