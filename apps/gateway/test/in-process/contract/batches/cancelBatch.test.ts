import { expect } from "vitest";
import { testKey } from "../../../gateway/test-gateway.js";
import { adminGateway } from "../admin-gateway.js";
import { bodyOf, contract, saysError } from "../contract.js";
import { withoutKeyCases } from "../own/own-cases.js";
import { batchesOf, unknownBatch } from "./batch-cases.js";

const context = adminGateway();
const { create, createFaulty } = batchesOf(context);
const without = withoutKeyCases(context, `/v1/batches/${unknownBatch}/cancel`, { method: "POST" });
const cancel = (id: string, key = testKey) =>
  context.send(`/v1/batches/${id}/cancel`, { method: "POST", key });
const statusOf = async (id: string) =>
  (await bodyOf(await context.send(`/v1/batches/${id}`, { key: testKey }))).status;

contract("cancelBatch", {
  ...without,
  200: [
    {
      name: "a batch, which ends soon",
      send: async () => {
        const id = await create();
        const response = await cancel(id);
        await expect.poll(() => statusOf(id)).toBe("cancelled");
        return response;
      },
      expect: (body) =>
        expect(body).toMatchObject({ status: "cancelling", cancelling_at: expect.any(Number) }),
    },
  ],
  400: [
    ...without[400],
    { name: "a broken percent sign", send: () => cancel("a%ZZ"), expect: saysError("invalid_url") },
  ],
  404: [
    {
      name: "an unknown batch",
      send: () => cancel(unknownBatch),
      expect: saysError("batch_not_found", "batch"),
    },
    {
      name: "a batch of another key, which goes on",
      send: async () => {
        const { value } = await context.createKey();
        const id = await create(value);
        const response = await cancel(id);
        const { cancelling_at } = await bodyOf(await context.send(`/v1/batches/${id}`, { key: value }));
        expect(cancelling_at).toBeNull();
        return response;
      },
      expect: saysError("batch_not_found", "batch"),
    },
  ],
  409: [
    {
      name: "a batch that has ended",
      send: async () => cancel(await createFaulty()),
      expect: saysError("batch_ended", "batch"),
    },
  ],
});
