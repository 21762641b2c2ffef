import { expect } from "vitest";
import { testKey } from "../../../gateway/test-gateway.js";
import { adminGateway } from "../admin-gateway.js";
import { contract, saysError } from "../contract.js";
import { withoutKeyCases } from "../own/own-cases.js";
import { addJob, notFoundCases, runJob, unknownJob, withSketch } from "./job-gateway.js";

const context = adminGateway(withSketch);
const ask = (id: string, headers: Record<string, string> = {}) =>
  context.send(`/v1/jobs/${id}`, { key: testKey, headers });
const without = withoutKeyCases(context, `/v1/jobs/${unknownJob}`);

contract("retrieveJob", {
  ...without,
  200: [
    {
      name: "a job that is complete, with its response",
      send: async () => ask((await runJob(context)).id),
      expect: (body) =>
        expect(body).toMatchObject({
          status: "completed",
          operation: "createImage",
          model: "sketch",
          error: null,
          response: { data: [{ b64_json: expect.stringMatching(/^iVBORw0KGgo/) }] },
        }),
    },
    {
      name: "a job that waits, after the time that the caller prefers to wait",
      send: async () =>
        ask((await addJob(context, { status: "in_progress" })).id, { prefer: "wait=1, handling=strict" }),
      expect: (body, response) => {
        expect(body).toMatchObject({ status: "in_progress", completed_at: null });
        expect(body).not.toHaveProperty("response");
        expect(response.headers.get("preference-applied")).toBe("wait=1");
        expect(response.headers.get("retry-after")).toBe("5");
      },
    },
    {
      name: "a job, to a caller that would wait longer than a minute",
      send: async () => ask((await runJob(context)).id, { prefer: "wait=61" }),
      expect: (body, response) => {
        expect(body).toMatchObject({ status: "completed" });
        expect(response.headers.get("preference-applied")).toBe("wait=60");
      },
    },
    {
      name: "a job whose response is not stored any more, as one whose outcome is unknown",
      send: async () => ask((await addJob(context)).id),
      expect: (body) =>
        expect(body).toMatchObject({ status: "failed", error: { code: "idempotency_outcome_unknown" } }),
    },
  ],
  400: [
    ...without[400],
    { name: "a broken percent sign", send: () => ask("a%ZZ"), expect: saysError("invalid_url") },
    {
      name: "an id that is too long",
      send: () => ask("a".repeat(65)),
      expect: saysError("string_above_max_length", "job"),
    },
  ],
  404: notFoundCases(context, ask),
});
