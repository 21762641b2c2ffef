import { expect } from "vitest";
import { adminGateway, otherCallersCases, storageFaultCase } from "../admin-gateway.js";
import { contract, saysError } from "../contract.js";
import { addJob } from "./job-gateway.js";

const context = adminGateway();
const path = "/admin/v1/jobs";
const get = (query: string) => () => context.send(`${path}?${query}`);
const otherCallers = otherCallersCases(context, path);

contract("listAllJobs", {
  200: [
    {
      name: "the jobs of all keys",
      send: async () => {
        await addJob(context, { keyId: "config:one" });
        await addJob(context, { keyId: "config:two" });
        return context.send(path);
      },
      expect: (body) =>
        expect(body.data.map((job: { key_id: string }) => job.key_id)).toEqual(
          expect.arrayContaining(["config:one", "config:two"]),
        ),
    },
    {
      name: "those of one key with a status",
      send: async () => {
        await addJob(context, { keyId: "config:three", status: "cancelled" });
        await addJob(context, { keyId: "config:three" });
        return get("key=config:three&status=cancelled")();
      },
      expect: (body) =>
        expect(body.data).toMatchObject([{ status: "cancelled", key_id: "config:three", cost_usd: 0 }]),
    },
    {
      name: "with the name and the owner of the key, and the cost of the request",
      send: async () => {
        const { id: keyId } = await context.createKey({ name: "nightly", owner: "Search team" });
        const requestId = "req_of_a_job";
        await addJob(context, { keyId, requestId });
        await context.addRows({ id: requestId, costNanos: 40_000_000 });
        return get(`key=${keyId}`)();
      },
      expect: (body) =>
        expect(body.data).toMatchObject([{ key_name: "nightly", key_owner: "Search team", cost_usd: 0.04 }]),
    },
  ],
  400: [
    { name: "a broken cursor", send: get("cursor=a"), expect: saysError("invalid_value", "cursor") },
    { name: "a filter that it lacks", send: get("model=m"), expect: saysError("unknown_parameter", "model") },
  ],
  401: otherCallers[401],
  403: otherCallers[403],
  500: [storageFaultCase(context, "faulty", get("limit=1")), ...otherCallers[500]],
  503: [storageFaultCase(context, "unavailable", get("limit=1")), ...otherCallers[503]],
});
