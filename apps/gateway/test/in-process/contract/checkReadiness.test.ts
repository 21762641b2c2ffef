import { afterAll, beforeAll, expect } from "vitest";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";
import { testAdminKey } from "../../gateway/test-gateway.js";
import { contract, saysError } from "./contract.js";
import { contractGateway } from "./gateway.js";

const context = contractGateway("embedding");

const model = (name: string) =>
  `  ${name}: { type: embedding, targets: [{ upstream: local, model: ${name} }] }`;
const config = (...models: string[]) =>
  `upstreams: { local: { provider: local, modelFolders: { no-such-model: ./no-such-folder } } }\nmodels:\n${models.map(model).join("\n")}`;
let able: InProcessGateway;
let unable: InProcessGateway;

beforeAll(async () => {
  able = await startGateway(config("gte-small", "no-such-model"));
  unable = await startGateway(config("no-such-model"));
});
afterAll(async () => {
  await able.stop();
  await unable.stop();
});

contract("checkReadiness", {
  200: [
    {
      name: "one model that can serve is enough",
      send: () => fetch(`${able.url}/readyz`),
      expect: (body) => expect(body).toEqual({ status: "ready", models: { total: 2, ready: 1, failing: 0 } }),
    },
    {
      name: "how many targets are in each state, where it is asked for, without the names of upstreams",
      send: async () => {
        await able.sendJson("/v1/embeddings", { model: "gte-small", input: "warm" });
        return fetch(`${able.url}/readyz?verbose`);
      },
      expect: (body) =>
        expect(body).toEqual({
          status: "ready",
          models: { total: 2, ready: 1, failing: 0 },
          target_states: { healthy: 1, unknown: 1 },
          storage: {
            database: "available",
            disk: expect.stringMatching(/^(ok|low|full)$/),
            disk_free_bytes: expect.any(Number),
          },
        }),
    },
    {
      name: "the same with the key of a caller",
      send: () => able.send("/readyz?verbose=1"),
      expect: (body) => expect(Object.keys(body)).toEqual(["status", "models", "target_states", "storage"]),
    },
    {
      name: "the state of every target, for the operator",
      send: async () => {
        await able.sendJson("/v1/embeddings", { model: "gte-small", input: "warm" });
        const headers = { authorization: `Bearer ${testAdminKey}` };
        return fetch(`${able.url}/readyz?verbose`, { headers });
      },
      expect: (body) =>
        expect(body.targets).toEqual([
          {
            upstream: "local",
            model: "gte-small",
            serves: expect.arrayContaining([expect.any(String)]),
            state: "healthy",
            proven_at: expect.any(Number),
            failing_since: null,
            failures: 0,
            in_flight: 0,
            latency: expect.objectContaining({ calls: expect.any(Number) }),
            last_error: null,
            paused_until: null,
            space_check: null,
          },
          {
            upstream: "local",
            model: "no-such-model",
            serves: expect.arrayContaining([expect.any(String)]),
            state: "unknown",
            proven_at: null,
            failing_since: null,
            failures: 0,
            in_flight: 0,
            latency: null,
            last_error: null,
            paused_until: null,
            space_check: null,
          },
        ]),
    },
  ],
  400: [
    {
      name: "a parameter that is sent twice",
      send: () => fetch(`${able.url}/readyz?verbose=1&verbose=2`),
      expect: saysError("duplicate_parameter", "verbose"),
    },
  ],
  500: [
    {
      name: "a bug",
      send: () => context.broken(() => fetch(`${context.gateway.url}/readyz`)),
      expect: saysError("internal_error"),
    },
  ],
  503: [
    {
      name: "no model can serve",
      send: () => fetch(`${unable.url}/readyz`),
      expect: (body) =>
        expect(body).toEqual({
          status: "unavailable",
          models: { total: 1, ready: 0, failing: 0 },
        }),
    },
  ],
});
