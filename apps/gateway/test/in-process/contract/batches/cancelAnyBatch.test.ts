import { expect } from "vitest";
import { testKey } from "../../../gateway/test-gateway.js";
import { adminGateway, otherCallersCases, storageFaultCase } from "../admin-gateway.js";
import { contract, saysError } from "../contract.js";
import { batchesOf, unknownBatch } from "./batch-cases.js";

const context = adminGateway();
const { create, createFaulty } = batchesOf(context);
const path = "/admin/v1/batches";
const cancel = (id: string) => context.send(`${path}/${id}/cancel`, { method: "POST" });
const cancelled = otherCallersCases(context, `${path}/${unknownBatch}/cancel`, { method: "POST" });

contract("cancelAnyBatch", {
  200: [
    {
      name: "a batch of any key",
      send: async () => cancel(await create(testKey)),
      expect: (body) => expect(body).toMatchObject({ status: "cancelling", key_name: "tester" }),
    },
  ],
  400: [
    { name: "a broken percent sign", send: () => cancel("a%ZZ"), expect: saysError("invalid_url") },
    {
      name: "a long id",
      send: () => cancel("a".repeat(101)),
      expect: saysError("string_above_max_length", "batch"),
    },
  ],
  401: cancelled[401],
  403: cancelled[403],
  404: [
    {
      name: "an unknown batch",
      send: () => cancel(unknownBatch),
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
  500: [storageFaultCase(context, "faulty", () => cancel(unknownBatch)), ...cancelled[500]],
  503: [storageFaultCase(context, "unavailable", () => cancel(unknownBatch)), ...cancelled[503]],
});
