import { expect } from "vitest";
import { adminGateway, otherCallersCases, storageFaultCase } from "../admin-gateway.js";
import { bodyOf, contract, saysError } from "../contract.js";
import { batchesOf, unknownBatch } from "./batch-cases.js";

const context = adminGateway();
const { create, createFaulty } = batchesOf(context);
const path = "/admin/v1/batches";
const list = (query: string) => context.send(`${path}?${query}`);
const listed = otherCallersCases(context, path);

contract("listAllBatches", {
  200: [
    {
      name: "the batches of all keys, or of one, or in one state",
      send: async () => {
        const { id: keyId, value } = await context.createKey({ name: "search" });
        const [own, failed] = [await create(value), await createFaulty()];
        const idsOf = async (query: string) =>
          (await bodyOf(await list(query))).data.map(({ id }: { id: string }) => id);
        expect(await idsOf("limit=100")).toEqual(expect.arrayContaining([own, failed]));
        expect(await idsOf("status=failed")).toContain(failed);
        expect(await idsOf("status=failed")).not.toContain(own);
        return list(`key=${keyId}`);
      },
      expect: ({ data }) =>
        expect(data).toMatchObject([{ key_id: expect.stringMatching(/^key_/), key_name: "search" }]),
    },
  ],
  400: [
    {
      name: "a page that is too large",
      send: () => list("limit=101"),
      expect: saysError("integer_above_max_value", "limit"),
    },
    {
      name: "an unknown state",
      send: () => list("status=new"),
      expect: saysError("invalid_value", "status"),
    },
    {
      name: "an unknown batch",
      send: () => list(`after=${unknownBatch}`),
      expect: saysError("invalid_value", "after"),
    },
  ],
  401: listed[401],
  403: listed[403],
  500: [storageFaultCase(context, "faulty", () => list("")), ...listed[500]],
  503: [storageFaultCase(context, "unavailable", () => list("")), ...listed[503]],
});
