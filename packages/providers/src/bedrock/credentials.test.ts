import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { providerTools } from "../test/tools.js";
import { type CredentialSettings, findCredentials } from "./credentials.js";

const tools = providerTools();
const expiration = "2026-11-16T13:00:00Z";
const issued = { AccessKeyId: "ASIA1", SecretAccessKey: "secret", Token: "session", Expiration: expiration };
const expected = {
  value: { accessKeyId: "ASIA1", secretAccessKey: "secret", sessionToken: "session" },
  lifetimeMs: 3_600_000,
};

let server: Server;
let origin: string;
let folder: string;
/** The issuer's replies, by method and path; other requests get 404. */
let replies: Record<string, unknown>;
let received: {
  readonly route: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "credentials-"));
  server = createServer({ keepAliveTimeout: 120_000 }, async (request, response) => {
    const route = `${request.method} ${request.url}`;
    const body = Buffer.concat(await request.toArray()).toString();
    received.push({ route, headers: request.headers, body });
    const reply = replies[route];
    response.writeHead(reply === undefined ? 404 : 200);
    response.end(typeof reply === "string" ? reply : JSON.stringify(reply ?? {}));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  replies = {};
  received = [];
});

function find(environment: Record<string, string>, settings: CredentialSettings = {}) {
  return findCredentials(settings, { ...tools, environment });
}

async function issue(environment: Record<string, string>) {
  const source = find(environment, { region: "eu-central-1" });
  if (source.kind !== "issued") throw new Error(`Not issued: ${source.kind}`);
  return source.issue(new AbortController().signal);
}

const keys = { AWS_ACCESS_KEY_ID: "AKIA1", AWS_SECRET_ACCESS_KEY: "s1" };

test.each([
  ["the key of the settings", { ...keys }, { apiKey: "k" }, { kind: "key", apiKey: "k" }],
  [
    "the access key of the settings",
    { AWS_BEARER_TOKEN_BEDROCK: "b" },
    { accessKeyId: "a", secretAccessKey: "s", sessionToken: "t" },
    { kind: "fixed", credentials: { accessKeyId: "a", secretAccessKey: "s", sessionToken: "t" } },
  ],
  ["a key of the environment", { ...keys, AWS_BEARER_TOKEN_BEDROCK: "b" }, {}, { kind: "key", apiKey: "b" }],
  [
    "an access key of the environment",
    { ...keys, AWS_SESSION_TOKEN: "", AWS_CONTAINER_CREDENTIALS_FULL_URI: "http://localhost/" },
    {},
    { kind: "fixed", credentials: { accessKeyId: "AKIA1", secretAccessKey: "s1" } },
  ],
  ["none", { AWS_EC2_METADATA_DISABLED: "True", AWS_ACCESS_KEY_ID: "AKIA1" }, {}, { kind: "none" }],
])("%s", (_name, environment, settings, source) => {
  expect(find(environment as Record<string, string>, settings)).toEqual(source);
});

test("a container's credentials are requested with the token in its file, which may change", async () => {
  const file = join(folder, "token");
  const environment = {
    AWS_CONTAINER_CREDENTIALS_FULL_URI: `${origin}/v1/credentials`,
    AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file,
  };
  replies["GET /v1/credentials"] = issued;

  writeFileSync(file, "first\n");
  const first = await issue(environment);
  writeFileSync(file, "second\n");
  await issue(environment);

  expect(first).toEqual(expected);
  expect(received.map(({ headers }) => headers.authorization)).toEqual(["first", "second"]);
});

test("a container's token goes to no other host over http", async () => {
  const environment = {
    AWS_CONTAINER_CREDENTIALS_FULL_URI: "http://credentials.example/",
    AWS_CONTAINER_AUTHORIZATION_TOKEN: "token",
  };

  await expect(issue(environment)).rejects.toThrow("neither https nor an address of the platform");
});

test("an instance's credentials come from its role, by a session with the metadata service", async () => {
  replies = {
    "PUT /latest/api/token": "metadata-token",
    "GET /latest/meta-data/iam/security-credentials/": "the-role\n",
    "GET /latest/meta-data/iam/security-credentials/the-role": { Code: "Success", ...issued },
  };

  expect(await issue({ AWS_EC2_METADATA_SERVICE_ENDPOINT: `${origin}/` })).toEqual(expected);
  expect(received.map(({ headers }) => headers["x-aws-ec2-metadata-token"])).toEqual([
    undefined,
    "metadata-token",
    "metadata-token",
  ]);
  expect(received[0]?.headers["x-aws-ec2-metadata-token-ttl-seconds"]).toBe("60");
});

test("a web identity is exchanged for the credentials of a role", async () => {
  const file = join(folder, "identity");
  writeFileSync(file, "identity-token");
  const { Token: SessionToken, ...others } = issued;
  const Credentials = { ...others, SessionToken, Expiration: Date.parse(expiration) / 1000 };
  replies["POST /"] = {
    AssumeRoleWithWebIdentityResponse: { AssumeRoleWithWebIdentityResult: { Credentials } },
  };

  const credentials = await issue({
    AWS_WEB_IDENTITY_TOKEN_FILE: file,
    AWS_ROLE_ARN: "arn:aws:iam::123456789012:role/gateway",
    AWS_ENDPOINT_URL_STS: origin,
  });

  expect(credentials).toEqual(expected);
  expect(Object.fromEntries(new URLSearchParams(received[0]?.body))).toEqual({
    Action: "AssumeRoleWithWebIdentity",
    Version: "2011-06-15",
    RoleArn: "arn:aws:iam::123456789012:role/gateway",
    RoleSessionName: "model-gateway",
    WebIdentityToken: "identity-token",
  });
});

test.each([
  ["is not JSON", "<html>", "has no credentials"],
  ["has no secret", { ...issued, SecretAccessKey: undefined }, "has no credentials"],
  ["has expired", { ...issued, Expiration: "2026-11-16T11:00:00Z" }, "have expired"],
  ["does not say when it expires", { ...issued, Expiration: undefined }, "have expired"],
  ["is an error", undefined, "replied with status 404"],
])("a reply that %s is not used", async (_name, reply, message) => {
  replies["GET /"] = reply;

  await expect(issue({ AWS_CONTAINER_CREDENTIALS_FULL_URI: `${origin}/` })).rejects.toThrow(message);
});
