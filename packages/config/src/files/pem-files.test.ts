import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Authority, createAuthority, type KeyPair } from "@model-gateway/test-suite/certificates";
import { beforeAll, expect, test } from "vitest";
import { ConfigError } from "../config-error.js";
import { loadConfig } from "../load-config.js";
import { faultsOf, load } from "../test/load-text.js";

const models = "models: { m: { type: embedding, targets: [{ upstream: u, model: m }] } }";
const upstream = (settings: object) =>
  `upstreams: { u: ${JSON.stringify({ provider: "openai", ...settings })} }\n${models}\n`;

let authority: Authority;
let own: KeyPair;
let other: KeyPair;
beforeAll(async () => {
  authority = await createAuthority();
  [own, other] = await Promise.all([authority.issue(), authority.issue()]);
});

test("a path is relative to the file, and the text may also come from the environment", () => {
  const folder = mkdtempSync(join(tmpdir(), "pem-"));
  writeFileSync(join(folder, "ca.pem"), authority.ca);
  writeFileSync(join(folder, "own.pem"), own.cert);
  const tls = { ca: "./ca.pem", cert: "own.pem", key: "${OWN_KEY}" };
  writeFileSync(join(folder, "gateway.yaml"), upstream({ tls }));

  const config = loadConfig({
    path: join(folder, "gateway.yaml"),
    environment: { OWN_KEY: own.key },
    workingDirectory: "/",
  });

  expect(config.upstreams.get("u")).toMatchObject({ settings: { tls: { ca: authority.ca, ...own } } });
  expect([...config.files.keys()]).toEqual(
    ["gateway.yaml", "ca.pem", "own.pem", "data/catalogue.json"].map((name) => join(folder, name)),
  );
});

test.each<[name: string, tls: () => object, fault: RegExp]>([
  ["a missing file", () => ({ ca: "none.pem" }), /u\.tls\.ca: .*the file cannot be read \(ENOENT\)$/],
  ["a file without a certificate", () => ({ ca: "gateway.yaml" }), /u\.tls\.ca: has no certificate/],
  ["a damaged certificate", () => ({ ca: damaged() }), /u\.tls\.ca: has a certificate that cannot be read/],
  ["a key in place of a certificate", () => ({ ca: own.key }), /u\.tls\.ca: has no certificate/],
  ["a certificate in place of a key", () => ({ ...own, key: own.cert }), /u\.tls\.key: has no private key/],
  ["another key", () => ({ ...own, key: other.key }), /u\.tls\.key: is not the private key of the first/],
  ["a certificate without a key", () => ({ cert: own.cert }), /u\.tls: needs both cert and key/],
  ["an unknown name", () => ({ passphrase: "x" }), /u\.tls\.passphrase: is not a known key/],
])("%s is a fault that names the field and no secret", (_name, tls, fault) => {
  const faults = faultsOf(upstream({ tls: tls() }));

  expect(faults).toEqual([expect.stringMatching(fault)]);
  expect(faults.join()).not.toContain("BEGIN");
});

test("a key that needs a passphrase is a fault", async () => {
  const { cert, key } = await authority.issue({ passphrase: "hush" });

  expect(faultsOf(upstream({ tls: { cert, key } }))).toEqual([
    expect.stringMatching(/u\.tls\.key: .*needs a passphrase; use a key without one$/),
  ]);
});

test("a value that is neither a file nor PEM text is not quoted: it may be a key without its first line", () => {
  const secret = own.key.split("\n")[1] ?? "";

  expect(faultsOf(upstream({ tls: { cert: own.cert, key: secret } })).join()).not.toContain(secret);
});

test("an expired certificate of the gateway works, and causes a warning", async () => {
  const expired = await authority.issue({ isExpired: true });

  expect(load(upstream({ tls: expired })).warnings).toEqual([
    expect.stringMatching(/^The certificate in upstreams\.u\.tls\.cert has expired/),
  ]);
});

test("certificates need a connection that uses them", () => {
  const plain = { provider: "openai-compatible", baseUrl: "http://127.0.0.1:9/v1" };

  expect(faultsOf(upstream({ ...plain, tls: { ca: authority.ca, ...own } }))).toEqual([
    expect.stringContaining("u.tls.ca: needs an https baseUrl or an https proxy"),
    expect.stringContaining("u.tls.cert: needs an https baseUrl"),
  ]);
  expect(faultsOf(upstream({ ...plain, proxy: "https://proxy", tls: { ca: authority.ca } }))).toEqual([]);
});

function damaged(): string {
  return authority.ca.replace(/^(.*\n).{20}/, "$1####################");
}

test("a fault of the whole file is still a ConfigError where there is a tls section", () => {
  expect(() => load("tls: 1\nupstreams: []\n")).toThrow(ConfigError);
});
