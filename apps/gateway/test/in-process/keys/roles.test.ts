import { createRequire } from "node:module";
import type { Schemas } from "@model-gateway/domain/operations";
import { operatorRoles } from "@model-gateway/domain/operator";
import { describe, expect, test } from "vitest";
import { suiteGateway } from "../../gateway/suite.js";
import { testAdminKey, testKey } from "../../gateway/test-gateway.js";

const keyOf = (role: string) => `operator-key-of-${role}-0123456789`;
const file = (operators: readonly { name: string; role: string }[]) => `
operators: ${JSON.stringify(operators.map(({ name, role }) => ({ name, role, key: keyOf(name) })))}
upstreams: { local: { provider: local } }
models: { text: { type: embedding, targets: [{ upstream: local, model: gte-small }] } }
`;
const everyRole = operatorRoles.map((role) => ({ name: `of-${role}`, role }));
const suite = suiteGateway(() => file(everyRole));

interface SpecOperation {
  readonly operationId: string;
  readonly "x-roles"?: readonly string[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}

const document = createRequire(import.meta.url)("@model-gateway/spec/openapi.json") as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, SpecOperation>>>>;
  readonly security: NonNullable<SpecOperation["security"]>;
};

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, operation]) => {
    if (operation.operationId === undefined) return [];
    const security = operation.security ?? document.security;
    const takes = (scheme: string) => security.some((one) => scheme in one);
    return [
      {
        id: operation.operationId,
        method: method.toUpperCase(),
        // Nothing has such an id: an operation that is allowed finds nothing.
        path: path.replaceAll(/\{\w+\}/g, "nowhere"),
        roles: operation["x-roles"] ?? [],
        isPublic: security.length === 0 || security.some((one) => Object.keys(one).length === 0),
        takesOperatorKeys: takes("adminKey"),
        takesSessions: takes("session") || takes("bearer"),
        isForCallers: takes("bearer") || takes("apiKey"),
      },
    ];
  }),
);

/** Without a body, so that an operation that is allowed ends at its validation, or at an id that nothing has. */
async function isAllowed(
  { method, path }: { method: string; path: string },
  key: string | undefined,
): Promise<boolean> {
  const response = await suite.gateway.send(path, {
    method,
    headers: {
      authorization: key === undefined ? "" : `Bearer ${key}`,
      ...(method !== "GET" && method !== "DELETE" && { "content-type": "application/json" }),
    },
    ...(method !== "GET" && method !== "DELETE" && { body: "{" }),
  });
  const { status } = response;
  const isJson = response.headers.get("content-type")?.includes("json") === true;
  const text = isJson ? await response.text() : "";
  if (!isJson) await response.body?.cancel();
  const isRefused = status === 401 || /admin_key_required|role_not_allowed/.test(text);
  expect(status, `${method} ${path}: ${text}`).not.toBe(500);
  return !isRefused;
}

describe.each(operations)("$id", (operation) => {
  const { id, roles, isPublic, takesOperatorKeys, takesSessions, isForCallers } = operation;

  test("is open to the keys that the spec names, and to no other", async () => {
    // `endSession` and `retrieveSession` take sessions alone.
    const allowed = {
      nothing: isPublic,
      caller: isPublic || isForCallers,
      admin: isPublic || takesOperatorKeys,
      ...Object.fromEntries(
        operatorRoles.map((role) => [`of-${role}`, isPublic || (takesOperatorKeys && roles.includes(role))]),
      ),
    };
    const keys = {
      nothing: undefined,
      caller: testKey,
      admin: testAdminKey,
      ...Object.fromEntries(operatorRoles.map((role) => [`of-${role}`, keyOf(`of-${role}`)])),
    };

    const found = Object.fromEntries(
      await Promise.all(
        Object.entries(keys).map(async ([name, key]) => [name, await isAllowed(operation, key)] as const),
      ),
    );

    expect(found).toEqual(allowed);
  });

  test("is open to the sessions of the roles that the spec names, and to no other", async () => {
    const withSession = operatorRoles.filter((role) => role !== "metrics");
    const found = await Promise.all(
      withSession.map(async (role) => {
        const { value, operations: listed } = await signIn(keyOf(`of-${role}`));
        return { role, isAllowed: await isAllowed(operation, value), isListed: listed.includes(id) };
      }),
    );

    // A session that could create its successor would never end.
    const mayEver =
      isPublic ||
      ((takesOperatorKeys || takesSessions) && id !== "createSession" && id !== "createSignInCode");
    expect(found).toEqual(
      withSession.map((role) => ({
        role,
        isAllowed: mayEver && (isPublic || roles.includes(role)),
        isListed: isPublic || roles.includes(role),
      })),
    );
  });
});

async function signIn(key: string): Promise<Schemas["CreatedSession"]> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await suite.gateway.send("/admin/v1/sessions", { method: "POST", headers });
  expect(response.status).toBe(200);
  return (await response.json()) as Schemas["CreatedSession"];
}

test("a session lists the models that its role may call", async () => {
  const listed = await Promise.all(["operator", "viewer"].map((role) => signIn(keyOf(`of-${role}`))));

  expect(listed.map(({ models }) => models)).toEqual([["text"], []]);
});

test("a role that was taken away holds for sessions that are open, and for keys, after a reload", async () => {
  const key = keyOf("of-operator");
  const { value } = await signIn(key);
  const keys = { method: "GET", path: "/admin/v1/keys" };
  const probe = { method: "POST", path: "/admin/v1/probes" };
  expect([await isAllowed(probe, key), await isAllowed(probe, value)]).toEqual([true, true]);

  await suite.gateway.reload(file([{ name: "of-operator", role: "viewer" }]));

  expect([await isAllowed(probe, key), await isAllowed(probe, value)]).toEqual([false, false]);
  expect([await isAllowed(keys, key), await isAllowed(keys, value)]).toEqual([true, true]);

  await suite.gateway.reload(file([]));

  expect([await isAllowed(keys, key), await isAllowed(keys, value)]).toEqual([false, false]);
});
