import { expect } from "vitest";
import { adminGateway, otherCallersCases, storageFaultCase } from "./admin-gateway.js";
import { bodyOf, contract, saysError } from "./contract.js";

const context = adminGateway();
const path = "/admin/v1/keys";
const get =
  (query = "", headers: Record<string, string> = {}) =>
  () =>
    context.send(`${path}${query}`, { headers });
const namesOf = (body: { data: { name: string }[] }) => body.data.map(({ name }) => name);
const ofFile = {
  object: "key",
  id: "config:tester",
  name: "tester",
  owner: "testers",
  redacted_value: null,
  old_secrets: [],
  source: "file",
  status: "active",
  models: null,
  priority: "interactive",
  limits: {
    requests_per_minute: null,
    requests_per_day: null,
    tokens_per_minute: null,
    tokens_per_day: null,
    images_per_minute: null,
    images_per_day: null,
    max_concurrency: null,
  },
  budget: null,
  budget_usage: null,
  spent_usd: 0,
  unpriced_requests: 0,
  disabled: false,
  expires_at: null,
  created_at: null,
  last_used_at: null,
  revoked_at: null,
};
const otherCallers = otherCallersCases(context, path);

contract("listKeys", {
  200: [
    {
      name: "the keys of the configuration, in a gateway without others",
      send: get(),
      expect: (body) =>
        expect(body).toEqual({
          object: "list",
          data: [ofFile],
          total: 1,
          next_cursor: null,
        }),
    },
    {
      name: "the newest first, part by part, and never a secret",
      send: async () => {
        const made = [];
        for (const name of ["one", "two", "three"]) made.push(await context.createKey({ name }));
        const first = await get("?limit=2")();
        const { data, next_cursor } = await bodyOf(first);
        expect(first.headers.get("x-next-cursor")).toBe(next_cursor);
        const second = await bodyOf(await get(`?limit=2&cursor=${encodeURIComponent(next_cursor)}`)());
        const shown = made.map(({ value: _value, ...key }) => key).reverse();
        // Keys created in one millisecond have an order, but not that of their names.
        expect([...data, ...second.data]).toEqual(expect.arrayContaining(shown));
        expect([data.length, second.data.length, second.next_cursor]).toEqual([2, 2, null]);
        expect(second.total).toBe(4);
        return get("?limit=1000")();
      },
      expect: (body) => expect(JSON.stringify(body)).not.toMatch(/mg_[0-9a-z]{38}|digest/),
    },
    {
      name: "a key's spending in this month and the rest of its budget, the largest first",
      send: async () => {
        const day = { usd: 2, per: "day" } as const;
        const [much, little] = [
          await context.createKey({ name: "spends 1", budget: day }),
          await context.createKey({ name: "spends 2" }),
        ];
        const at = Date.now();
        await context.addRows(
          { keyId: much.id, at, costNanos: 1_500_000_000 },
          { keyId: little.id, at, costNanos: 500_000_000 },
          { keyId: little.id, at, costNanos: null },
          { keyId: little.id, at: at - 32 * 86_400_000, costNanos: null },
          { keyId: little.id, at: at - 32 * 86_400_000, costNanos: 9_000_000_000 },
        );
        return get("?search=SPENDS&sort=spent_usd")();
      },
      expect: (body) =>
        expect(body.data).toMatchObject([
          {
            name: "spends 1",
            spent_usd: 1.5,
            unpriced_requests: 0,
            budget_usage: { spent_usd: 1.5, remaining_usd: 0.5 },
          },
          { name: "spends 2", spent_usd: 0.5, unpriced_requests: 1, budget_usage: null },
        ]),
    },
    {
      name: "by a part of the owner and by status",
      send: async () => {
        const owner = "team search@example.com";
        await context.createKey({ name: "on", owner });
        await context.createKey({ name: "off", owner, disabled: true });
        return get("?search=search@EXAMPLE&status=disabled")();
      },
      expect: (body) => expect(body.data).toMatchObject([{ name: "off", source: "database" }]),
    },
    {
      name: "by the last four letters",
      send: async () => {
        const { redacted_value } = await context.createKey({ name: "four" });
        return get(`?search=${redacted_value?.slice(-4)}`)();
      },
      expect: (body) => expect(namesOf(body)).toContain("four"),
    },
    {
      name: "the one that was used last",
      send: async () => {
        await context.addRows({ keyId: "config:tester", at: Date.now() });
        return get("?sort=last_used_at&limit=1")();
      },
      expect: (body) =>
        expect(body.data).toMatchObject([{ name: "tester", last_used_at: expect.any(Number) }]),
    },
    {
      name: "a table, with the cursor of its next page in a header",
      send: async () => {
        const budget = { usd: 25, per: "month" } as const;
        await context.createKey({ name: "=table", models: ["near", "gpt-*"], budget });
        await context.createKey({ name: "table" });
        return get("?search=table&sort=name&order=asc&limit=1", { accept: "text/csv" })();
      },
      expect: (body, response) => {
        expect(response.headers.get("x-next-cursor")).toEqual(expect.any(String));
        expect(
          body
            .replace(/"key_\w+"/, '"ID"')
            .replace(/mg_\.\.\.\w{4}/, "LAST")
            .replace(/\d{10}/, "AT")
            .split("\r\n"),
        ).toEqual([
          "id,name,owner,redacted_value,source,status,models,priority,budget_usd,budget_per,budget_spent_usd,budget_remaining_usd,spent_usd,expires_at,created_at,last_used_at,revoked_at,unpriced_requests",
          `"ID","'=table",,"LAST","database","active","near gpt-*","interactive",25,"month",0,25,0,,AT,,,0`,
          "",
        ]);
      },
    },
    {
      name: "a key that was revoked",
      send: async () => {
        const { id } = await context.createKey();
        await context.send(`${path}/${id}`, { method: "DELETE" });
        return get("?status=revoked")();
      },
      expect: (body) =>
        expect(body.data).toMatchObject([{ status: "revoked", revoked_at: expect.any(Number) }]),
    },
  ],
  400: [
    {
      name: "too many at once",
      send: get("?limit=1001"),
      expect: saysError("integer_above_max_value", "limit"),
    },
    { name: "none at all", send: get("?limit=0"), expect: saysError("integer_below_min_value", "limit") },
    {
      name: "a limit that is not a number",
      send: get("?limit=ten"),
      expect: saysError("invalid_type", "limit"),
    },
    { name: "two limits", send: get("?limit=1&limit=2"), expect: saysError("duplicate_parameter", "limit") },
    { name: "a cursor of nowhere", send: get("?cursor=abc"), expect: saysError("invalid_value", "cursor") },
    { name: "an empty cursor", send: get("?cursor="), expect: saysError("empty_string", "cursor") },
    {
      name: "a cursor of another sort",
      send: async () => {
        const { next_cursor } = await bodyOf(await get("?limit=1")());
        return get(`?limit=1&sort=name&cursor=${next_cursor}`)();
      },
      expect: saysError("invalid_value", "cursor"),
    },
    { name: "an unknown sort", send: get("?sort=owner"), expect: saysError("invalid_value", "sort") },
    { name: "an unknown order", send: get("?order=up"), expect: saysError("invalid_value", "order") },
    { name: "an unknown status", send: get("?status=new"), expect: saysError("invalid_value", "status") },
    { name: "an empty search", send: get("?search="), expect: saysError("empty_string", "search") },
    {
      name: "a search for a zero byte",
      send: get("?search=a%00"),
      expect: saysError("invalid_value", "search"),
    },
    {
      name: "a misspelt parameter",
      send: get("?limits=1"),
      expect: saysError("unknown_parameter", "limits"),
    },
    {
      name: "a parameter with brackets",
      send: get("?limit[a]=1"),
      expect: (body) => expect(body.error.param).toBe("limit"),
    },
  ],
  401: otherCallers[401],
  403: otherCallers[403],
  500: [storageFaultCase(context, "faulty", get()), ...otherCallers[500]],
  503: [storageFaultCase(context, "unavailable", get()), ...otherCallers[503]],
});
