import { expect } from "vitest";
import { testKey } from "../../../gateway/test-gateway.js";
import { adminGateway, otherCallersCases, storageFaultCase } from "../admin-gateway.js";
import { bodyOf, contract, saysError } from "../contract.js";
import { batchesOf, line, unknownBatch } from "./batch-cases.js";

const context = adminGateway();
const { create, createFaulty } = batchesOf(context);
const path = "/admin/v1/batches";
const retrieve = (id: string) => context.send(`${path}/${id}`);
const retrieved = otherCallersCases(context, `${path}/${unknownBatch}`);

contract("retrieveAnyBatch", {
  200: [
    {
      name: "a batch of any key",
      send: async () => retrieve(await create(testKey)),
      expect: (body) => expect(body).toMatchObject({ key_id: "config:tester", key_name: "tester" }),
    },
    {
      name: "with the owner of its key, and no cost where none is known",
      send: async () => {
        const { value } = await context.createKey({ name: "nightly", owner: "Search team" });
        const batchId = await create(value);
        await context.addRows({ batchId, costNanos: null });
        return retrieve(batchId);
      },
      expect: (body) =>
        expect(body).toMatchObject({
          key_name: "nightly",
          key_owner: "Search team",
          cost_usd: null,
          unpriced_requests: 1,
        }),
    },
    {
      name: "faults that quote nothing of the file but names",
      send: async () => {
        const secret = "a secret fox";
        const misnamed = JSON.stringify({ ...JSON.parse(line("any-model")), [secret]: 1 });
        const id = await createFaulty(testKey, `${misnamed}\n${line(secret)}\n`);
        const own = await bodyOf(await context.send(`/v1/batches/${id}`, { key: testKey }));
        expect(own.errors.data).toEqual([
          { code: "invalid_value", line: 1, param: secret, message: `Unknown field '${secret}'.` },
          expect.objectContaining({ line: 2, message: expect.stringContaining(secret) }),
        ]);
        return retrieve(id);
      },
      expect: (body) => {
        expect(body.errors.data).toEqual([
          { code: "invalid_value", line: 1, param: "…", message: "Unknown field '…'." },
          expect.objectContaining({ line: 2, param: "body.model", message: expect.stringContaining("…") }),
        ]);
        expect(JSON.stringify(body)).not.toContain("secret");
      },
    },
  ],
  400: [
    { name: "a broken percent sign", send: () => retrieve("a%ZZ"), expect: saysError("invalid_url") },
    {
      name: "a long id",
      send: () => retrieve("a".repeat(101)),
      expect: saysError("string_above_max_length", "batch"),
    },
  ],
  401: retrieved[401],
  403: retrieved[403],
  404: [
    {
      name: "an unknown batch",
      send: () => retrieve(unknownBatch),
      expect: saysError("batch_not_found", "batch"),
    },
  ],
  500: [storageFaultCase(context, "faulty", () => retrieve(unknownBatch)), ...retrieved[500]],
  503: [storageFaultCase(context, "unavailable", () => retrieve(unknownBatch)), ...retrieved[503]],
});
