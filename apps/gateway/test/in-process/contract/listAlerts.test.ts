import { expect } from "vitest";
import { adminGateway, otherCallersCases, storageFaultCase } from "./admin-gateway.js";
import { contract, saysError } from "./contract.js";

const context = adminGateway();
const path = "/admin/v1/alerts";
const get = () => context.send(path);
const otherCallers = otherCallersCases(context, path);

contract("listAlerts", {
  200: [
    {
      name: "nothing, where everything is fine",
      send: get,
      expect: (body) =>
        expect(body).toEqual({
          object: "alerts",
          targets: [],
          models: [],
          comparisons: [],
          keys: [],
          configuration_refusal: null,
        }),
    },
    {
      name: "a target that fails, a key near the end of its budget, and a file that was refused",
      send: async () => {
        const body = JSON.stringify({ model: "gone", input: "a" });
        const headers = { "content-type": "application/json" };
        const failed = await context.gateway.send("/v1/embeddings", { method: "POST", body, headers });
        expect(failed.status).toBeGreaterThanOrEqual(500);
        const spent = await context.createKey({ name: "nearly spent", budget: { usd: 1, per: "month" } });
        const fresh = await context.createKey({ name: "fresh", budget: { usd: 1, per: "month" } });
        await context.createKey({ name: "without a budget" });
        await context.addRows(
          { keyId: spent.id, at: Date.now(), costNanos: 900_000_000 },
          { keyId: fresh.id, at: Date.now(), costNanos: 100_000_000 },
        );
        context.gateway.app.noteRefusal(["gateway.yaml:1:1  what: is not a known key"]);
        return get();
      },
      expect: (body) => {
        expect(body.targets).toMatchObject([
          {
            upstream: "local",
            model: "no-such-model",
            serves: ["gone"],
            failures: expect.any(Number),
            failing_since: expect.any(Number),
            last_error: { at: expect.any(Number) },
          },
        ]);
        expect(body.models).toEqual([
          { id: "gone", failing_since: expect.closeTo(Date.now() / 1000, -2), fallback: null },
        ]);
        expect(body.keys).toMatchObject([{ name: "nearly spent", budget_usage: { spent_usd: 0.9 } }]);
        expect(body.configuration_refusal).toEqual({
          at: expect.closeTo(Date.now() / 1000, -2),
          faults: ["gateway.yaml:1:1  what: is not a known key"],
        });
      },
    },
  ],
  400: [
    {
      name: "a parameter that is not there",
      send: () => context.send(`${path}?verbose`),
      expect: saysError("unknown_parameter", "verbose"),
    },
  ],
  401: otherCallers[401],
  403: otherCallers[403],
  500: [storageFaultCase(context, "faulty", get), ...otherCallers[500]],
  503: [storageFaultCase(context, "unavailable", get), ...otherCallers[503]],
});
