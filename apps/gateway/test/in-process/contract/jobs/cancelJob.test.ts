import { expect } from "vitest";
import { testKey } from "../../../gateway/test-gateway.js";
import { adminGateway, storageFaultCase } from "../admin-gateway.js";
import { contract, saysError } from "../contract.js";
import { addJob, notFoundCases, unknownJob } from "./job-gateway.js";

const context = adminGateway();
const ask = (id: string, { key = testKey, query = "" } = {}) =>
  context.send(`/v1/jobs/${id}/cancel${query}`, { method: "POST", key });

contract("cancelJob", {
  200: [
    {
      name: "a job that has ended stays as it is",
      send: async () => ask((await addJob(context, { status: "cancelled" })).id),
      expect: (body) => expect(body.status).toBe("cancelled"),
    },
  ],
  400: [
    { name: "a broken percent sign", send: () => ask("a%ZZ"), expect: saysError("invalid_url") },
    {
      name: "a parameter that it lacks",
      send: () => ask(unknownJob, { query: "?force=1" }),
      expect: saysError("unknown_parameter", "force"),
    },
  ],
  401: [
    {
      name: "a wrong key",
      send: () => ask(unknownJob, { key: "wrong" }),
      expect: saysError("invalid_api_key"),
    },
  ],
  404: notFoundCases(context, ask),
  500: [storageFaultCase(context, "faulty", () => ask(unknownJob))],
  503: [storageFaultCase(context, "unavailable", () => ask(unknownJob))],
});
