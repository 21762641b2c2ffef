import { expect } from "vitest";
import { adminGateway, otherCallersCases } from "./admin-gateway.js";
import { contract, saysError } from "./contract.js";

const context = adminGateway();
const path = "/admin/v1/upstreams";
const unknown = {
  state: "unknown",
  in_flight: 0,
  failing_since: null,
  proven_at: null,
  failures: 0,
  latency: null,
  last_error: null,
  paused_until: null,
  space_check: null,
};
/** A target without calls. */
const idle = (model: string) => ({ model, since: expect.any(Number), half_hours: [], failures: [] });

contract("listUpstreams", {
  200: [
    {
      name: "every upstream with its targets, and none of its secrets",
      send: () => context.send(path),
      expect: (body) =>
        expect(body).toEqual({
          object: "list",
          data: [
            {
              object: "upstream",
              name: "distant",
              provider: "openai-compatible",
              base_url: "http://127.0.0.1:1/v1",
              has_key: true,
              timeout_ms: 5000,
              credential: null,
              discovery: null,
              targets: [{ ...unknown, upstream: "distant", model: "far", serves: ["far"] }],
              history: [idle("far")],
            },
            {
              object: "upstream",
              name: "local",
              provider: "local",
              base_url: null,
              has_key: false,
              timeout_ms: null,
              credential: null,
              discovery: null,
              targets: [
                { ...unknown, upstream: "local", model: "local-sketch", serves: ["far"] },
                { ...unknown, upstream: "local", model: "gte-small", serves: ["near", "nearer"] },
                { ...unknown, upstream: "local", model: "no-such-model", serves: ["gone"] },
              ],
              history: [idle("local-sketch"), idle("gte-small"), idle("no-such-model")],
            },
          ],
          next_cursor: null,
        }),
    },
    {
      name: "how a target does now",
      send: async () => {
        const body = JSON.stringify({ model: "near", input: "a" });
        const headers = { "content-type": "application/json" };
        const { status } = await context.gateway.send("/v1/embeddings", { method: "POST", body, headers });
        expect(status).toBe(200);
        return context.send(path);
      },
      expect: (body) => {
        expect(body.data[1].history[1].half_hours).toEqual([
          { start: expect.any(Number), ok: 1, failed: 0, down_seconds: 0 },
        ]);
        expect(body.data[1].targets[1]).toEqual({
          ...unknown,
          state: "healthy",
          proven_at: expect.any(Number),
          upstream: "local",
          model: "gte-small",
          serves: ["near", "nearer"],
          latency: {
            p50_ms: expect.any(Number),
            p95_ms: expect.any(Number),
            calls: 1,
            last_at: expect.any(Number),
          },
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
  ...otherCallersCases(context, path),
});
