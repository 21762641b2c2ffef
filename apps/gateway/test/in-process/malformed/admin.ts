import { METHODS } from "node:http";
import { testAdminKey } from "../../gateway/test-gateway.js";
import { type CaseKind, type Described, type MalformedCase, rawRequest } from "./malformed-case.js";

/** Malformed requests of the operator to the admin API. */
export const admin: CaseKind = function* (random) {
  for (const { path, methods } of paths) {
    const allow = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : method)).join(", ");
    for (const wrong of METHODS) {
      if (methods.includes(wrong) || wrong === "CONNECT" || (wrong === "HEAD" && methods.includes("GET")))
        continue;
      yield { ...refused(`${wrong} ${path}`, { method: wrong, path }), status: 405, allow };
    }
    for (const query of queries)
      yield taken(`GET ${path}?${query.slice(0, 60)}`, { method: "GET", path: `${path}?${query}` });
  }
  for (const path of unknownPaths)
    yield { ...refused(`GET ${path.slice(0, 60)}`, { method: "GET", path }), status: 404 };
  for (const { method, path } of bodyPaths) {
    for (const body of bodies) {
      const headers = {
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(body)),
      };
      yield { ...refused(`${method} ${path} with ${body.slice(0, 60)}`, { method, path, headers, body }) };
    }
    for (const [name, value] of fields(random)) {
      const body = JSON.stringify({ name: "a", [name]: value });
      const headers = { "content-type": "application/json" };
      yield taken(`${method} ${path} with ${body.slice(0, 60)}`, { method, path, headers, body });
    }
  }
  for (let round = 0; round < 100; round += 1) {
    const query = Array.from(
      { length: 1 + random.below(4) },
      () => `${random.pick(names)}=${random.pick(values)}`,
    );
    const path = `${random.pick(paths).path}?${query.join("&")}`;
    yield taken(`GET ${path.slice(0, 80)} in round ${round}`, { method: "GET", path });
  }
};

const key = "/admin/v1/keys/key_000000000000000000000000";
const paths = [
  { path: "/admin/v1/keys", methods: ["GET", "POST"] },
  { path: key, methods: ["GET", "PATCH", "DELETE"] },
  { path: "/admin/v1/usage", methods: ["GET"] },
  { path: "/admin/v1/requests", methods: ["GET"] },
  { path: "/admin/v1/requests/req_00000000000000000000000000000000", methods: ["GET"] },
  { path: "/admin/v1/models", methods: ["GET"] },
  { path: "/admin/v1/upstreams", methods: ["GET"] },
  { path: "/metrics", methods: ["GET"] },
] as readonly { readonly path: string; readonly methods: readonly string[] }[];
const bodyPaths = [
  { method: "POST", path: "/admin/v1/keys" },
  { method: "PATCH", path: key },
] as const;

const unknownPaths = [
  "/admin",
  "/admin/v1",
  "/admin/v1/",
  "/admin/v2/keys",
  "/admin/v1/keys/a/b",
  "/Admin/v1/keys",
];

const names = [
  "limit",
  "cursor",
  "from",
  "to",
  "key",
  "model",
  "status",
  "operation",
  "group_by",
  "error_code",
  "upstream",
  "failed",
  "cache",
  "min_duration_ms",
  "has_model",
  "owner",
  "search",
  "sort",
  "order",
  "x",
  "__proto__",
];
const values = [
  "",
  "1",
  "-1",
  "0",
  "1e3",
  "9".repeat(40),
  "NaN",
  "null",
  "%00",
  "%ff",
  "%",
  "a,b",
  "day,day",
  "[]",
  "{}",
  "é",
  "a".repeat(2000),
];
const queries = [
  "limit",
  "limit=",
  "limit[]=1",
  "limit[a]=b",
  "__proto__[x]=1",
  "constructor=1",
  "&&&",
  "=",
  "%ZZ",
  `${"a=1&".repeat(2000)}`,
];

const bodies = [
  "",
  "{",
  "[]",
  "null",
  "1",
  '"a"',
  "\ufeff{}",
  '{"name":}',
  "[".repeat(50_000),
  `"${"a".repeat(70_000)}"`,
];

function fields(random: Parameters<CaseKind>[0]): [string, unknown][] {
  const noise = random.bytes(20).toString("latin1");
  const wrong: unknown[] = [null, 0, -1, 1.5, 1e21, "", noise, [], [[]], {}, { a: { b: {} } }, true];
  return [
    "name",
    "owner",
    "models",
    "limits",
    "budget",
    "disabled",
    "expires_at",
    "__proto__",
    noise,
  ].flatMap((name) => wrong.map((value): [string, unknown] => [name, value]));
}

function refused(name: string, request: Described): MalformedCase {
  return { name, outcome: "refused", bytes: asOperator(request) };
}

function taken(name: string, request: Described): MalformedCase {
  return { name, outcome: "taken or refused", bytes: asOperator(request) };
}

function asOperator({ headers, ...request }: Described): Buffer {
  return rawRequest({ ...request, headers: { authorization: `Bearer ${testAdminKey}`, ...headers } });
}
