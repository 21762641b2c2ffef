import { expect } from "vitest";
import { testKey } from "../../../gateway/test-gateway.js";
import { adminGateway } from "../admin-gateway.js";
import { bodyOf, contract, saysError } from "../contract.js";
import { withoutKeyCases } from "./own-cases.js";

const context = adminGateway();
const path = "/v1/key/usage";
const without = withoutKeyCases(context, path);
const refused = (query: string) => () => context.send(`${path}?${query}`, { key: testKey });

contract("retrieveOwnUsage", {
  ...without,
  200: [
    {
      name: "the usage of the key alone, by model",
      send: async () => {
        const { id, value } = await context.createKey();
        await context.addRows(
          { keyId: id, model: "near", costNanos: 10 },
          { keyId: id, model: "near", costNanos: 20, status: 429 },
          { keyId: id, model: "far", costNanos: 30 },
          { keyId: "config:tester", model: "near", costNanos: 4000 },
        );
        const response = await context.send(`${path}?group_by=model`, { key: value });
        const { data, totals } = await bodyOf(response);
        expect(data).toMatchObject([
          { model: "far", requests: 1, cost_usd: 30e-9 },
          { model: "near", requests: 2, failed_requests: 1, cost_usd: 30e-9 },
        ]);
        expect(totals).toMatchObject({ requests: 3, cost_usd: 60e-9 });
        return response;
      },
    },
    {
      name: "a key that was never used",
      send: async () => context.send(`${path}?model=near`, { key: (await context.createKey()).value }),
      expect: (body) => expect(body.totals.requests).toBe(0),
    },
  ],
  400: [
    ...without[400],
    ...["key", "owner", "upstream"].map((grouping) => ({
      name: `by ${grouping}`,
      send: refused(`group_by=${grouping}`),
      expect: saysError("invalid_value", "group_by[0]"),
    })),
    {
      name: "by day and hour",
      send: refused("group_by=day,hour"),
      expect: saysError("invalid_value", "group_by"),
    },
  ],
});
