import { createKeyText } from "@model-gateway/domain/key-text";
import type { Schemas } from "@model-gateway/domain/operations";
import { expect, test } from "vitest";
import { suiteGateway } from "../../gateway/suite.js";
import { testAdminKey, testKey } from "../../gateway/test-gateway.js";

/** The tests reach it from 127.0.0.1, as its proxy would. */
const behindProxy = suiteGateway(() => config('trustedProxies: ["127.0.0.1"]'));
const reachedDirectly = suiteGateway(() => config(""));

function config(settings: string): string {
  return `
${settings}
upstreams: { local: { provider: local } }
models: { text: { type: embedding, targets: [{ upstream: local, model: gte-small }] } }
`;
}

interface SignIn {
  readonly key: string;
  /** The proxy's `X-Forwarded-For`. */
  readonly from?: string;
}

async function signIn({ key, from }: SignIn, { gateway } = behindProxy): Promise<number> {
  const headers = {
    authorization: `Bearer ${key}`,
    ...(from === undefined ? {} : { "x-forwarded-for": from }),
  };
  const response = await gateway.send("/admin/v1/sessions", { method: "POST", headers });
  await response.body?.cancel();
  return response.status;
}

/** Enough wrong keys for a wait of a minute. They differ from their first letter on. */
async function guess(from: string, suite = behindProxy): Promise<number[]> {
  const keys = Array.from({ length: 16 }, (_, index) => `${String.fromCharCode(97 + index)}-${from}`);
  const statuses: number[] = [];
  for (const key of keys) statuses.push(await signIn({ key, from }, suite));
  return statuses;
}

test("a stranger who guesses cannot lock out others, even behind the same address", async () => {
  const created = await behindProxy.gateway.sendJson(
    "/admin/v1/keys",
    { name: "developer" },
    { headers: { authorization: `Bearer ${testAdminKey}` } },
  );
  const { value } = (await created.json()) as Schemas["CreatedKey"];
  const from = "198.51.100.1";

  const guesses = await guess(from);

  expect(guesses.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
  expect(guesses.at(-1)).toBe(429);
  const keys = [testAdminKey, testKey, value];
  expect(await Promise.all(keys.map((key) => signIn({ key, from })))).toEqual([200, 200, 200]);
});

test("behind a trusted proxy each client waits for itself", async () => {
  await guess("198.51.100.2");

  expect(await signIn({ key: "0-mistyped", from: "198.51.100.2" })).toBe(429);
  expect(await signIn({ key: "1-mistyped", from: "198.51.100.3" })).toBe(401);
});

test("a header from a peer that is not trusted changes nothing", async () => {
  await guess("198.51.100.4", reachedDirectly);

  expect(await signIn({ key: "0-mistyped", from: "198.51.100.5" }, reachedDirectly)).toBe(429);
});

test("the log names the client for sign-ins, admin operations and refused keys only", async () => {
  const { gateway } = behindProxy;
  gateway.logLines.length = 0;
  const from = "203.0.113.9, 2001:db8::7";
  const headers = { "x-forwarded-for": from };
  const send = async (path: string, key: string) => {
    const response = await gateway.send(path, { headers: { ...headers, authorization: `Bearer ${key}` } });
    await response.body?.cancel();
  };

  await signIn({ key: testKey, from });
  await send("/admin/v1/keys", testAdminKey);
  await send("/v1/models", createKeyText("mg_"));
  await send("/v1/models", testKey);

  await expect.poll(() => gateway.logLines).toHaveLength(4);
  const lines = gateway.logLines.map((line) => JSON.parse(line));
  expect(lines.map(({ operation, status, address }) => [operation, status, address])).toEqual([
    ["createSession", 200, "2001:db8::7"],
    ["listKeys", 200, "2001:db8::7"],
    ["listModels", 401, "2001:db8::7"],
    ["listModels", 200, undefined],
  ]);
});
