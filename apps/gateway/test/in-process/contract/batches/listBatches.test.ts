import { expect } from "vitest";
import { testKey } from "../../../gateway/test-gateway.js";
import { adminGateway } from "../admin-gateway.js";
import { bodyOf, contract, saysError } from "../contract.js";
import { withoutKeyCases } from "../own/own-cases.js";
import { batchesOf } from "./batch-cases.js";

const context = adminGateway();
const { create, createFaulty } = batchesOf(context);
const path = "/v1/batches";
const without = withoutKeyCases(context, path);
const refused = (query: string) => () => context.send(`${path}?${query}`, { key: testKey });

contract("listBatches", {
  ...without,
  200: [
    {
      name: "pages of the key's own batches, newest first",
      send: async () => {
        const { value: key } = await context.createKey();
        const ids = [await create(key), await create(key), await create(key)].reverse();
        await create();
        const first = await bodyOf(await context.send(`${path}?limit=2`, { key }));
        const response = await context.send(`${path}?limit=2&after=${first.last_id}`, { key });
        const second = await bodyOf(response);
        const found = [...first.data, ...second.data].map(({ id }: { id: string }) => id);
        expect([...found].sort()).toEqual([...ids].sort());
        expect(first).toMatchObject({
          object: "list",
          has_more: true,
          first_id: found[0],
          last_id: found[1],
        });
        expect(second).toMatchObject({ has_more: false, first_id: found[2], last_id: found[2] });
        return response;
      },
    },
    {
      name: "those in one state, with the cost of their lines",
      send: async () => {
        const { value: key } = await context.createKey();
        await create(key);
        const batchId = await createFaulty(key);
        await context.addRows({ batchId, costNanos: 2_000_000_000 }, { batchId, costNanos: null });
        return context.send(`${path}?status=failed`, { key });
      },
      expect: (body) =>
        expect(body.data).toMatchObject([{ status: "failed", cost_usd: 2, unpriced_requests: 1 }]),
    },
    {
      name: "nothing",
      send: async () => context.send(path, { key: (await context.createKey()).value }),
      expect: (body) =>
        expect(body).toEqual({ object: "list", data: [], first_id: null, last_id: null, has_more: false }),
    },
  ],
  400: [
    ...without[400],
    {
      name: "a page that is too large",
      send: refused("limit=101"),
      expect: saysError("integer_above_max_value", "limit"),
    },
    {
      name: "a page of nothing",
      send: refused("limit=0"),
      expect: saysError("integer_below_min_value", "limit"),
    },
    { name: "an unknown state", send: refused("status=done"), expect: saysError("invalid_value", "status") },
    { name: "a limit in words", send: refused("limit=ten"), expect: saysError("invalid_type", "limit") },
    { name: "an empty id", send: refused("after="), expect: saysError("empty_string", "after") },
    {
      name: "a long id",
      send: refused(`after=${"a".repeat(101)}`),
      expect: saysError("string_above_max_length", "after"),
    },
    {
      name: "two limits",
      send: refused("limit=1&limit=2"),
      expect: saysError("duplicate_parameter", "limit"),
    },
    {
      name: "a batch of another key",
      send: async () => {
        const other = await create((await context.createKey()).value);
        return refused(`after=${other}`)();
      },
      expect: saysError("invalid_value", "after"),
    },
  ],
});
