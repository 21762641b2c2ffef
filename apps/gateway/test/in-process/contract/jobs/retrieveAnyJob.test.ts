import { expect } from "vitest";
import { adminGateway, otherCallersCases, storageFaultCase } from "../admin-gateway.js";
import { contract, saysError } from "../contract.js";
import { runJob, unknownJob, withSketch } from "./job-gateway.js";

const context = adminGateway(withSketch);
const method = "GET";
const ask =
  (id: string, query = "") =>
  () =>
    context.send(`/admin/v1/jobs/${id}${query}`, { method });
const otherCallers = otherCallersCases(context, `/admin/v1/jobs/${unknownJob}`, { method });

contract("retrieveAnyJob", {
  200: [
    {
      name: "a job of any key, without its images",
      send: async () => ask((await runJob(context)).id)(),
      expect: (body) => {
        expect(body).toMatchObject({ status: "completed", key_id: "config:tester" });
        expect(body).not.toHaveProperty("response");
      },
    },
  ],
  400: [
    { name: "a broken percent sign", send: ask("a%ZZ"), expect: saysError("invalid_url") },
    {
      name: "a parameter that it lacks",
      send: ask(unknownJob, "?force=1"),
      expect: saysError("unknown_parameter", "force"),
    },
  ],
  401: otherCallers[401],
  403: otherCallers[403],
  404: [{ name: "an unknown job", send: ask(unknownJob), expect: saysError("job_not_found", "job") }],
  500: [storageFaultCase(context, "faulty", ask(unknownJob)), ...otherCallers[500]],
  503: [storageFaultCase(context, "unavailable", ask(unknownJob)), ...otherCallers[503]],
});
