import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FakeIssuer, startFakeIssuer } from "@model-gateway/providers/test/fake-issuer";
import { type FakeVault, startFakeVault } from "@model-gateway/providers/test/fake-vault";
import { providerTools } from "@model-gateway/providers/test/tools";
import { FakeClock } from "@model-gateway/runtime/test/clocks";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ConfigError } from "../config-error.js";
import { loadConfig } from "../load-config.js";
import { FetchedSecrets } from "./fetched-secrets.js";

let folder: string;
let vault: FakeVault;
let aws: FakeIssuer;
let clock: FakeClock;
let secrets: FetchedSecrets;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "references-"));
  writeFileSync(join(folder, "jwt"), "service-account-jwt\n");
  vault = await startFakeVault();
  vault.documents.set("secret/gateway", { openai: "sk-from-vault", cohere: "co-from-vault", number: 7 });
  aws = await startFakeIssuer(({ headers, text }) => {
    const isRight =
      headers["x-amz-target"] === "secretsmanager.GetSecretValue" &&
      headers["content-type"] === "application/x-amz-json-1.1" &&
      / Credential=AKIA1\/\d{8}\/eu-central-1\/secretsmanager\/aws4_request, /.test(
        headers.authorization ?? "",
      );
    if (!isRight) return undefined;
    if (text === '{"SecretId":"prod/keys"}') return { body: { SecretString: '{"jina":"jina-from-aws"}' } };
    return text === '{"SecretId":"plain"}' ? { body: { SecretString: "plain-from-aws" } } : undefined;
  });
  clock = new FakeClock();
  secrets = new FetchedSecrets(providerTools({ clock }));
});
afterEach(() => {
  vault.close();
  aws.close();
  rmSync(folder, { recursive: true });
});

const kubernetes = () => `kubernetes: { role: gateway, tokenFile: "${join(folder, "jwt")}" }`;

/** The source of a file with these stores and the keys of its upstreams. */
function sourceOf(keys: readonly string[], auth = kubernetes()) {
  const path = join(folder, "gateway.yaml");
  const upstreams = keys.map((key, index) => `  u${index}: { provider: voyage, apiKey: "${key}" }`);
  writeFileSync(
    path,
    `
dataDir: "${folder}"
secrets:
  vault: { address: "${vault.origin}", auth: { ${auth} } }
  aws: { region: eu-central-1 }
upstreams:
${upstreams.join("\n")}
models:
  m: { type: embedding, targets: [{ upstream: u0, model: voyage-4 }] }
`,
  );
  const environment = {
    AWS_ACCESS_KEY_ID: "AKIA1",
    AWS_SECRET_ACCESS_KEY: "secret-1",
    AWS_ENDPOINT_URL_SECRETS_MANAGER: aws.origin,
    APP_SECRET: "app-role-secret",
    ROOT: "hvs.root",
  };
  return { path, environment, workingDirectory: folder, references: secrets };
}

async function keysOf(source: ReturnType<typeof sourceOf>): Promise<unknown[]> {
  await secrets.fetch(source);
  const { upstreams } = loadConfig(source);
  return [...upstreams.values()].map(({ settings }) => (settings as { apiKey: string }).apiKey);
}

async function faultsOf(source: ReturnType<typeof sourceOf>): Promise<readonly string[]> {
  await secrets.fetch(source);
  try {
    loadConfig(source);
    return [];
  } catch (failure) {
    return (failure as ConfigError).faults;
  }
}

test("secrets come from a file, from Vault and from AWS, and are hidden everywhere", async () => {
  writeFileSync(join(folder, "key"), "key-from-file\n");
  const source = sourceOf([
    `\${file:${join(folder, "key")}}`,
    "${file:key}",
    "${vault:secret/gateway#openai}",
    "${vault:secret/gateway#cohere}",
    "${aws-secret:prod/keys#jina}",
    "${aws-secret:plain}",
  ]);

  const values = [
    "key-from-file",
    "key-from-file",
    "sk-from-vault",
    "co-from-vault",
    "jina-from-aws",
    "plain-from-aws",
  ];
  expect(await keysOf(source)).toEqual(values);
  const config = loadConfig(source);
  expect(config.secrets).toEqual(expect.arrayContaining(values));
  expect(config.files.has(join(folder, "key"))).toBe(true);
  expect(config.text).not.toMatch(/from-(file|vault|aws)/);
  // Two fields of one document are one request, beside the sign-in.
  expect(vault.requests.map(({ url }) => url.pathname)).toEqual([
    "/v1/auth/kubernetes/login",
    "/v1/secret/data/gateway",
  ]);
});

test("$${ begins a text, and nothing is read for it", async () => {
  const source = sourceOf(["$${vault:secret/gateway#openai}"]);

  expect(await keysOf(source)).toEqual(["${vault:secret/gateway#openai}"]);
  expect(vault.requests).toEqual([]);
});

test.each([
  ["AppRole", 'appRole: { roleId: role-1, secretId: "${APP_SECRET}", mount: custom/approle }'],
  ["a token", 'token: "${ROOT}"'],
])("a sign-in with %s", async (_name, auth) => {
  vault.tokens.set("hvs.root", 0);

  expect(await keysOf(sourceOf(["${vault:secret/gateway#openai}"], auth))).toEqual(["sk-from-vault"]);
});

test("a token is renewed before its lease ends, and one that was revoked is replaced at once", async () => {
  vault.tokens.set("hvs.root", 1000);
  const source = sourceOf(["${vault:secret/gateway#openai}"], 'token: "${ROOT}"');
  await keysOf(source);
  clock.advance(900_000);
  await keysOf(source);
  const renewals = () =>
    vault.requests.filter(({ url }) => url.pathname === "/v1/auth/token/renew-self").length;
  await expect.poll(renewals).toBe(2);

  const signedIn = sourceOf(["${vault:secret/gateway#openai}"]);
  await keysOf(signedIn);
  vault.tokens.clear();
  vault.documents.set("secret/gateway", { openai: "sk-second" });
  expect(await keysOf(signedIn)).toEqual(["sk-second"]);
});

test("another value is noticed, and while a store is down the last one stays", async () => {
  const source = sourceOf(["${vault:secret/gateway#openai}"]);
  expect((await secrets.fetch(source)).hasChanged).toBe(true);
  expect((await secrets.fetch(source)).hasChanged).toBe(false);

  vault.isDown = true;
  vault.documents.set("secret/gateway", { openai: "sk-rotated" });
  const { hasChanged, failures } = await secrets.fetch(source);
  expect(hasChanged).toBe(false);
  expect([...failures]).toEqual([
    ["vault:secret/gateway#openai", "The issuer replied with status 503 (refused)."],
  ]);
  expect(loadConfig(source).upstreams.get("u0")?.settings).toMatchObject({ apiKey: "sk-from-vault" });

  vault.isDown = false;
  expect((await secrets.fetch(source)).hasChanged).toBe(true);
  expect(loadConfig(source).upstreams.get("u0")?.settings).toMatchObject({ apiKey: "sk-rotated" });
});

test.each([
  ["${vault:secret/gateway#absent}", "the secret ${vault:secret/gateway#absent} has no text in absent"],
  ["${vault:secret/gateway#number}", "the secret ${vault:secret/gateway#number} has no text in number"],
  ["${vault:secret/other#key}", "the secret ${vault:secret/other#key} The issuer replied with status 404."],
  ["${vault:secret/../sys#key}", "is not written as ${file:/run/secrets/name}, ${vault:secret/path#field}"],
  ["${vault:secret}", "is not written as"],
  ["${aws-secret:absent}", "The issuer replied with status 401 (refused)."],
  ["${aws-secret:plain#key}", "has no text in key"],
  ["${file:/nowhere/key}", "names the file /nowhere/key, which cannot be read (ENOENT)"],
  ["${file:}", "is not written as ${file:/run/secrets/name}"],
])("%s is a fault that names it and quotes nothing", async (key, message) => {
  const faults = await faultsOf(sourceOf([key]));

  expect(faults.length).toBe(1);
  expect(faults[0]).toContain(message);
  expect(faults[0]).not.toMatch(/from-(vault|aws)|service-account-jwt|hvs\./);
});

test("a failed sign-in says why, and quotes nothing", async () => {
  writeFileSync(join(folder, "jwt"), "wrong-jwt");

  expect(await faultsOf(sourceOf(["${vault:secret/gateway#openai}"]))).toEqual([
    expect.stringMatching(
      / the secret \$\{vault:secret\/gateway#openai\} The issuer replied with status 403\.$/,
    ),
  ]);
});

test("settings of a store are checked, and names in them are not secrets", async () => {
  const both = `${kubernetes()}, token: t`;
  expect(await faultsOf(sourceOf(["${vault:secret/gateway#openai}"], both))).toEqual([
    expect.stringContaining("is not read, because the section secrets has a fault"),
    expect.stringContaining("secrets.vault.auth: must be one of kubernetes, appRole and token"),
  ]);
  const source = sourceOf(["${vault:secret/gateway#openai}"]);
  await secrets.fetch(source);
  expect(loadConfig(source).secrets).not.toContain("gateway");
});
