import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestCall } from "../test/call.js";
import { type FakeIssuer, isForm, startFakeIssuer } from "../test/fake-issuer.js";
import { providerTools } from "../test/tools.js";
import { createEntraToken } from "./entra.js";

const folder = mkdtempSync(join(tmpdir(), "entra-"));
const tokenFile = join(folder, "token");
let issuer: FakeIssuer;

beforeAll(async () => {
  issuer = await startFakeIssuer((request) =>
    request.url.pathname === "/a-tenant/oauth2/v2.0/token" &&
    isForm(request, {
      grant_type: "client_credentials",
      client_id: "a-client",
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: "the-assertion",
      scope: "https://cognitiveservices.azure.com/.default",
    })
      ? { body: { token_type: "Bearer", expires_in: 3599, access_token: "entra-token" } }
      : undefined,
  );
});
afterAll(() => {
  issuer.close();
  rmSync(folder, { recursive: true });
});

const request = { method: "POST", url: new URL("https://example.com"), headers: {}, body: undefined };
const open = (environment: Readonly<Record<string, string>>) =>
  createEntraToken("workload", {}, providerTools({ environment }));
const environment = () => ({
  AZURE_TENANT_ID: "a-tenant",
  AZURE_CLIENT_ID: "a-client",
  AZURE_FEDERATED_TOKEN_FILE: tokenFile,
  AZURE_AUTHORITY_HOST: `${issuer.origin}/`,
});

test("a workload's token in its file is exchanged for one of Entra, and read each time", async () => {
  writeFileSync(tokenFile, "the-assertion\n");
  const token = open(environment());

  expect(await token.authenticate(request, new TestCall())).toEqual(["authorization", "Bearer entra-token"]);
  expect(token.state()).toMatchObject({ source: "the workload identity of a-client", status: "valid" });

  writeFileSync(tokenFile, "another-assertion");
  const other = open(environment());
  await expect(other.authenticate(request, new TestCall())).rejects.toMatchObject({
    code: "upstream_auth_error",
  });
  expect(other.state()).toMatchObject({
    status: "missing",
    error: "The issuer replied with status 401 (refused).",
  });
});

test.each([
  ["AZURE_TENANT_ID", "", "entra: workload needs AZURE_TENANT_ID, AZURE_CLIENT_ID"],
  ["AZURE_FEDERATED_TOKEN_FILE", "/nowhere", "The file /nowhere cannot be read (ENOENT)."],
  ["AZURE_AUTHORITY_HOST", "http://login.example", "AZURE_AUTHORITY_HOST is not https."],
])("without a right %s, the state says so and nothing is sent", async (variable, value, message) => {
  issuer.requests.length = 0;
  const token = open({ ...environment(), [variable]: value });

  await expect(token.authenticate(request, new TestCall())).rejects.toMatchObject({
    code: "upstream_auth_error",
  });

  expect(token.state().error).toContain(message);
  expect(issuer.requests).toEqual([]);
});
