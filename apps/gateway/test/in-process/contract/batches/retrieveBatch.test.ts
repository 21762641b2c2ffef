import { expect } from "vitest";
import { testKey } from "../../../gateway/test-gateway.js";
import { adminGateway } from "../admin-gateway.js";
import { contract, saysError } from "../contract.js";
import { withoutKeyCases } from "../own/own-cases.js";
import { batchesOf, unknownBatch } from "./batch-cases.js";

const context = adminGateway();
const { create, createFaulty } = batchesOf(context);
const without = withoutKeyCases(context, `/v1/batches/${unknownBatch}`);
const retrieve = (id: string, key = testKey) => context.send(`/v1/batches/${id}`, { key });

contract("retrieveBatch", {
  ...without,
  200: [
    {
      name: "a batch whose file has a fault",
      send: async () => retrieve(await createFaulty()),
      expect: (body) =>
        expect(body).toMatchObject({
          status: "failed",
          failed_at: expect.any(Number),
          request_counts: { total: 0, completed: 0, failed: 0 },
          errors: {
            object: "list",
            data: [
              {
                code: "invalid_json_line",
                line: 1,
                message: "This line is not parseable as valid JSON.",
                param: null,
              },
            ],
          },
        }),
    },
  ],
  400: [
    ...without[400],
    { name: "a broken percent sign", send: () => retrieve("a%ZZ"), expect: saysError("invalid_url") },
    {
      name: "an id of any length",
      send: () => retrieve("a".repeat(200)),
      expect: saysError("string_above_max_length", "batch"),
    },
  ],
  404: [
    {
      name: "an unknown batch",
      send: () => retrieve(unknownBatch),
      expect: saysError("batch_not_found", "batch"),
    },
    {
      name: "a batch of another key",
      send: async () => retrieve(await create((await context.createKey()).value)),
      expect: saysError("batch_not_found", "batch"),
    },
  ],
});
