import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeUpstream, openUpstream, upstreamSchema } from "@model-gateway/providers/registry";
import { TestCall } from "@model-gateway/providers/test/call";
import { type FakeIssuer, isForm, startFakeIssuer } from "@model-gateway/providers/test/fake-issuer";
import { providerTools } from "@model-gateway/providers/test/tools";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "federation-"));
let issuer: FakeIssuer;
let upstream: FakeIssuer;
const grant = "urn:ietf:params:oauth:grant-type:token-exchange";
const jwt = "urn:ietf:params:oauth:token-type:jwt";

beforeAll(async () => {
  issuer = await startFakeIssuer((request) => {
    const body = {
      access_token: "exchanged-token",
      issued_token_type: "urn:ietf:params:oauth:token-type:access_token",
      token_type: "Bearer",
      expires_in: 900,
    };
    if (request.url.pathname === "/openrouter") {
      const policy = { federation_policy_id: "policy-1", subject_token: "the-identity" };
      const form = { grant_type: grant, subject_token_type: jwt, ...policy };
      return isForm(request, form) ? { body } : undefined;
    }
    const expected = {
      grant_type: grant,
      subject_token_type: jwt,
      subject_token: "the-identity",
      identity_provider_id: "idp_1",
      service_account_id: "user-1",
    };
    const isRight =
      request.headers["content-type"] === "application/json" && request.text === JSON.stringify(expected);
    return isRight ? { body } : undefined;
  });
  upstream = await startFakeIssuer(({ headers }) =>
    headers.authorization === "Bearer exchanged-token"
      ? { body: { object: "list", data: [{ id: "text-embedding-3-small", object: "model" }] } }
      : undefined,
  );
  writeFileSync(join(folder, "token"), "the-identity\n");
});
afterAll(() => {
  issuer.close();
  upstream.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  issuer.requests.length = 0;
});

const openai = { identityProviderId: "idp_1", serviceAccountId: "user-1", tokenFile: "token" };
const openrouter = { policyId: "policy-1", tokenFile: "token" };

test.each([
  ["openai", openai, "", "the workload identity of user-1"],
  ["openrouter", openrouter, "/openrouter", "the federation policy policy-1"],
])(
  "%s: the identity token of a file is exchanged for one of the provider",
  async (provider, federation, path, source) => {
    const settings = upstreamSchema.parse({
      provider,
      baseUrl: `${upstream.origin}/v1`,
      federation: { ...federation, tokenUrl: `${issuer.origin}${path}` },
    });
    const described = describeUpstream("one", settings, folder);
    const open = await openUpstream(described, providerTools());

    expect(open.credential?.()).toMatchObject({ source, status: "idle" });
    await open.listModels?.(new TestCall());
    expect(open.credential?.()).toMatchObject({ source, status: "valid", error: null });
    expect(issuer.requests.length).toBe(1);
    await open.close();
  },
);

const federation = { ...openai, tokenFile: "/token" };
const local = "http://127.0.0.1:1/v1";

test.each([
  [
    "another host",
    { baseUrl: "https://proxy.example/v1", federation },
    "baseUrl",
    "must be at https://api.openai.com with federation",
  ],
  [
    "a host below OpenAI's",
    { baseUrl: "https://api.openai.com.example/v1", federation },
    "baseUrl",
    "for no other host",
  ],
  ["http", { baseUrl: "http://api.openai.com/v1", federation }, "baseUrl", "must be at https"],
  ["another port", { baseUrl: "https://api.openai.com:8443/v1", federation }, "baseUrl", "must be at https"],
  ["a key as well", { apiKey: "sk", federation }, "federation", "is not used with an apiKey"],
  [
    "an issuer elsewhere",
    { baseUrl: local, federation: { ...federation, tokenUrl: "https://issuer.example/" } },
    "federation.tokenUrl",
    "must be on this machine",
  ],
  [
    "an issuer here and OpenAI",
    { federation: { ...federation, tokenUrl: "http://127.0.0.1:1/" } },
    "baseUrl",
    "must be on this machine, as tokenUrl is",
  ],
  [
    "a header with a token",
    { headers: { Authorization: "x" }, federation },
    "headers.Authorization",
    "is sent by the gateway already",
  ],
  [
    "variables and another host",
    { baseUrl: "https://proxy.example/v1", federation: "environment" },
    "baseUrl",
    "must be at https",
  ],
])("federation with %s is refused by name", (_name, settings, path, message) => {
  const { error } = upstreamSchema.safeParse({ provider: "openai", ...settings });

  expect(error?.issues.map((issue) => [issue.path.join("."), issue.message])).toEqual([
    [path, expect.stringContaining(message)],
  ]);
});

test("OpenRouter needs a key or a federation", () => {
  const { error } = upstreamSchema.safeParse({ provider: "openrouter" });

  expect(error?.issues.map(({ path, message }) => [path, message])).toEqual([
    [["apiKey"], "is required, unless federation says how to authenticate"],
  ]);
});

test("LiteLLM's variables are enough", async () => {
  const settings = upstreamSchema.parse({ provider: "openai", federation: "environment" });
  const environment = {
    OPENAI_IDENTITY_PROVIDER_ID: "idp_1",
    OPENAI_SERVICE_ACCOUNT_ID: "user-1",
    OPENAI_IDENTITY_TOKEN_FILE: join(folder, "absent"),
  };
  const open = await openUpstream(describeUpstream("one", settings, folder), providerTools({ environment }));

  await expect(open.listModels?.(new TestCall())).rejects.toMatchObject({ code: "upstream_auth_error" });
  expect(open.credential?.()).toMatchObject({
    source: "the workload identity of user-1",
    error: `The file ${join(folder, "absent")} cannot be read (ENOENT).`,
  });
  await open.close();
});
