import { expect } from "vitest";
import { adminGateway, moodCase, otherCallersCases } from "./admin-gateway.js";
import { bodyOf, contract, saysError } from "./contract.js";

const context = adminGateway();
const path = "/admin/v1/keys";
const get =
  (query = "") =>
  () =>
    context.send(`${path}${query}`);
const otherCallers = otherCallersCases(context, path);

contract("listKeys", {
  200: [
    {
      name: "a gateway without keys; those of the configuration are not in the list",
      send: get(),
      expect: (body) => expect(body).toEqual({ object: "list", data: [], next_cursor: null }),
    },
    {
      name: "the newest first, part by part, and never a secret",
      send: async () => {
        const made = [];
        for (const name of ["one", "two", "three"]) made.push(await context.createKey({ name }));
        const first = await bodyOf(await get("?limit=2")());
        const second = await bodyOf(await get(`?limit=2&cursor=${encodeURIComponent(first.next_cursor)}`)());
        const shown = made.map(({ value: _value, ...key }) => key).reverse();
        // Keys of one millisecond have an order too, but not that of their names.
        expect([...first.data, ...second.data]).toEqual(expect.arrayContaining(shown));
        expect([first.data.length, second.data.length, second.next_cursor]).toEqual([2, 1, null]);
        return get("?limit=1000")();
      },
      expect: (body) => expect(JSON.stringify(body)).not.toMatch(/mg_[0-9a-z]{38}|digest/),
    },
    {
      name: "a key that was revoked",
      send: async () => {
        const { id } = await context.createKey();
        await context.send(`${path}/${id}`, { method: "DELETE" });
        return get("?limit=1")();
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
      name: "a limit that is no number",
      send: get("?limit=ten"),
      expect: saysError("invalid_type", "limit"),
    },
    { name: "two limits", send: get("?limit=1&limit=2"), expect: saysError("duplicate_parameter", "limit") },
    { name: "a cursor of nowhere", send: get("?cursor=abc"), expect: saysError("invalid_value", "cursor") },
    { name: "an empty cursor", send: get("?cursor="), expect: saysError("empty_string", "cursor") },
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
  500: [moodCase(context, "faulty", get()), ...otherCallers[500]],
  503: [moodCase(context, "away", get()), ...otherCallers[503]],
});
