import { expect } from "vitest";
import { adminGateway, otherCallersCases, storageFaultCase } from "./admin-gateway.js";
import { bodyOf, contract, saysError } from "./contract.js";

const context = adminGateway();
const unknown = "key_000000000000000000000000";
const get = (id: string) => () => context.send(`/admin/v1/keys/${id}`);
const otherCallers = otherCallersCases(context, `/admin/v1/keys/${unknown}`);

contract("retrieveKey", {
  200: [
    {
      name: "the key as it was made, without its secret",
      send: async () => {
        const { value: _value, ...made } = await context.createKey({ name: "search", models: ["near"] });
        const response = await get(made.id)();
        expect(await bodyOf(response)).toEqual(made);
        return response;
      },
    },
    {
      name: "a key of the configuration, with its last use",
      send: async () => {
        await context.addRows({ keyId: "config:tester", at: 1_787_150_086_123 });
        return get("config:tester")();
      },
      expect: (body) =>
        expect(body).toMatchObject({
          id: "config:tester",
          name: "tester",
          source: "file",
          status: "active",
          redacted_value: null,
          created_at: null,
          last_used_at: 1_787_150_086,
        }),
    },
    {
      name: "the rest of its budget, from the ledger",
      send: async () => {
        const { id } = await context.createKey({ budget: { usd: 1, per: "month" } });
        await context.addRows(
          { keyId: id, at: Date.now(), costNanos: 120_000_001 },
          { keyId: id, at: Date.now() - 32 * 86_400_000, costNanos: 500_000_000 },
        );
        return get(id)();
      },
      expect: ({ budget, budget_usage, spent_usd }) => {
        const now = new Date();
        expect(budget).toEqual({ usd: 1, per: "month" });
        expect(spent_usd).toBe(0.120000001);
        expect(budget_usage).toEqual({
          spent_usd: 0.120000001,
          remaining_usd: 0.879999999,
          resets_at: Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) / 1000,
        });
      },
    },
  ],
  400: [
    { name: "a broken percent sign", send: get("a%ZZ"), expect: saysError("invalid_url") },
    {
      name: "an id that is too long",
      send: get("a".repeat(301)),
      expect: saysError("string_above_max_length", "key"),
    },
  ],
  401: otherCallers[401],
  403: otherCallers[403],
  404: [
    { name: "an unknown key", send: get(unknown), expect: saysError("key_not_found", "key") },
    {
      name: "a key that is not in the configuration",
      send: get("config:nobody"),
      expect: saysError("key_not_found", "key"),
    },
    { name: "an id with a zero byte", send: get("key_%00"), expect: saysError("key_not_found", "key") },
  ],
  500: [storageFaultCase(context, "faulty", get(unknown)), ...otherCallers[500]],
  503: [storageFaultCase(context, "unavailable", get(unknown)), ...otherCallers[503]],
});
