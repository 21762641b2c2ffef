import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { TestCall } from "../test/call.js";
import { type FakeIssuer, isForm, startFakeIssuer } from "../test/fake-issuer.js";
import { providerTools } from "../test/tools.js";
import { createGoogleToken } from "./google-token.js";

const scope = "https://www.googleapis.com/auth/cloud-platform";
const audience = "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q";
const subjectType = "urn:ietf:params:oauth:token-type:jwt";
const folder = mkdtempSync(join(tmpdir(), "external-"));
const request = { method: "POST", url: new URL("https://example.com"), headers: {}, body: undefined };
let google: FakeIssuer;

beforeAll(async () => {
  google = await startFakeIssuer((received) => {
    const { url, headers, text } = received;
    if (url.pathname === "/v1/token")
      return isForm(received, {
        grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
        requested_token_type: "urn:ietf:params:oauth:token-type:access_token",
        subject_token_type: subjectType,
        subject_token: "the-subject",
        audience,
        scope,
      })
        ? { body: { access_token: "federated-token", token_type: "Bearer", expires_in: 3600 } }
        : undefined;
    if (url.pathname === "/v1/projects/-/serviceAccounts/a@b:generateAccessToken")
      return headers.authorization === "Bearer federated-token" &&
        text === JSON.stringify({ scope: [scope], lifetime: "3600s" })
        ? { body: { accessToken: "account-token", expireTime: "2026-11-16T13:00:00Z" } }
        : undefined;
    if (url.pathname === "/subject")
      return headers.metadata === "true" ? { body: { value: { no: 1 }, token: "the-subject" } } : undefined;
    return isForm(received, {
      grant_type: "refresh_token",
      client_id: "a-client",
      client_secret: "client-secret",
      refresh_token: "refresh-secret",
    })
      ? { body: { access_token: "user-token", expires_in: 3599 } }
      : undefined;
  });
});
afterAll(() => {
  google.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  google.requests.length = 0;
});

async function tokenOf(document: object) {
  const credentialsFile = join(folder, "credentials.json");
  writeFileSync(credentialsFile, JSON.stringify(document));
  const token = createGoogleToken({ credentialsFile }, providerTools());
  const headers = await Promise.resolve(token.authenticate(request, new TestCall())).catch(() => undefined);
  return { headers, state: token.state() };
}

const external = () => ({
  type: "external_account",
  audience,
  subject_token_type: subjectType,
  token_url: `${google.origin}/v1/token`,
  credential_source: { file: join(folder, "subject") },
});
const user = () => ({
  type: "authorized_user",
  client_id: "a-client",
  client_secret: "client-secret",
  refresh_token: "refresh-secret",
  token_uri: `${google.origin}/token`,
});

test("a subject token of a file is exchanged", async () => {
  writeFileSync(join(folder, "subject"), "the-subject\n");

  const { headers, state } = await tokenOf(external());

  expect(headers).toEqual(["authorization", "Bearer federated-token"]);
  expect(state).toMatchObject({
    source: `the external account in ${join(folder, "credentials.json")}`,
    status: "valid",
  });
});

test("a subject token of an address is exchanged, and a service account is acted as", async () => {
  const { headers, state } = await tokenOf({
    ...external(),
    service_account_impersonation_url: `${google.origin}/v1/projects/-/serviceAccounts/a@b:generateAccessToken`,
    credential_source: {
      url: `${google.origin}/subject`,
      headers: { Metadata: "true" },
      format: { type: "json", subject_token_field_name: "token" },
    },
  });

  expect(headers).toEqual(["authorization", "Bearer account-token"]);
  expect(state.expiresAt).toBe(Date.parse("2026-11-16T13:00:00Z"));
});

test("an authorized user's refresh token is exchanged", async () => {
  const { headers, state } = await tokenOf(user());

  expect(headers).toEqual(["authorization", "Bearer user-token"]);
  expect(state.source).toMatch(/^the user in /);
});

test.each([
  [
    "another host for the token",
    () => ({ ...external(), token_url: "https://sts.example/v1/token" }),
    "token_url that is not at googleapis.com",
  ],
  [
    "a host that only ends like Google's",
    () => ({ ...external(), token_url: "https://evilgoogleapis.com/token" }),
    "not at googleapis.com",
  ],
  [
    "http",
    () => ({ ...external(), token_url: "http://sts.googleapis.com/v1/token" }),
    "not at googleapis.com",
  ],
  [
    "another host for the account",
    () => ({ ...external(), service_account_impersonation_url: "https://iam.example/a" }),
    "service_account_impersonation_url that is not at googleapis.com",
  ],
  [
    "another host for the user",
    () => ({ ...user(), token_uri: "https://oauth.example/token" }),
    "not at googleapis.com",
  ],
  [
    "a command",
    () => ({ ...external(), credential_source: { executable: { command: "x" } } }),
    "neither a file nor a url",
  ],
  ["no refresh token", () => ({ ...user(), refresh_token: undefined }), "has no refresh_token"],
  [
    "another type",
    () => ({ type: "gdch_service_account", private_key: "hidden-key" }),
    "has a type that is none of",
  ],
])("a file with %s is refused by name, and nothing is sent", async (_name, document, message) => {
  const { headers, state } = await tokenOf(document());

  expect(headers).toBeUndefined();
  expect(state.error).toContain(message);
  expect(JSON.stringify(state)).not.toMatch(/client-secret|refresh-secret|hidden-key/);
  expect(google.requests).toEqual([]);
});
