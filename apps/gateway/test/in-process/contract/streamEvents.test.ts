import { expect } from "vitest";
import { adminGateway, otherCallersCases } from "./admin-gateway.js";
import { contract, saysError } from "./contract.js";

const context = adminGateway();
const path = "/admin/v1/events";
const started = {
  event: "stream.started",
  data: expect.objectContaining({ data: { gateway_version: "1.0.0", workers: 1 } }),
};
const embed = () => context.gateway.sendJson("/v1/embeddings", { model: "near", input: "a" });

contract("streamEvents", {
  200: [
    {
      name: "a stream that ends after its first event",
      send: () => context.send(`${path}?limit=1`),
      expect: (events) => expect(events).toEqual([started]),
    },
    {
      name: "a finished request",
      send: async () => {
        const response = await context.send(`${path}?limit=2`);
        await firstEventOf(response);
        expect((await embed()).status).toBe(200);
        return response;
      },
      expect: (events) =>
        expect(events[1]).toMatchObject({
          event: "request.finished",
          data: { data: { object: "request", model: "near", key_name: "tester", status: 200 } },
        }),
    },
    {
      name: "the change of a target",
      send: async () => {
        const response = await context.send(`${path}?limit=2`);
        await firstEventOf(response);
        const probe = { model: "far", upstream: "distant", confirm_cost: true };
        await context.send("/admin/v1/probes", { method: "POST", json: probe });
        return response;
      },
      expect: (events) =>
        expect(events[1]).toMatchObject({
          event: "target.state_changed",
          data: { data: { upstream: "distant", model: "far", state: "failing", previous_state: "healthy" } },
        }),
    },
    {
      name: "a configuration that was refused",
      send: async () => {
        const response = await context.send(`${path}?limit=2`);
        await firstEventOf(response);
        context.gateway.app.noteRefusal(["a fault"]);
        return response;
      },
      expect: (events) =>
        expect(events[1]).toMatchObject({
          event: "configuration.reloaded",
          data: { data: { accepted: false, faults: ["a fault"], worker: 1 } },
        }),
    },
    {
      name: "the stream ends with its session",
      send: async () => {
        const { value } = await context.createSession();
        const response = await context.send(path, { key: value });
        await firstEventOf(response);
        await context.send("/admin/v1/sessions/current", { method: "DELETE", key: value });
        return response;
      },
      expect: (events) =>
        expect(events).toEqual([
          started,
          {
            event: "error",
            data: expect.objectContaining({ error: expect.objectContaining({ code: "invalid_api_key" }) }),
          },
        ]),
    },
  ],
  400: [
    {
      name: "a limit of nothing",
      send: () => context.send(`${path}?limit=0`),
      expect: saysError("integer_below_min_value", "limit"),
    },
    {
      name: "a parameter that is not there",
      send: () => context.send(`${path}?since=1`),
      expect: saysError("unknown_parameter", "since"),
    },
  ],
  ...otherCallersCases(context, path),
  429: [
    {
      name: "more readers than a worker serves",
      send: async () => {
        const leave = new AbortController();
        const headers = { authorization: "Bearer test-admin-key-0123456789" };
        const readers = Array.from({ length: 20 }, () =>
          context.gateway.send(path, { headers, signal: leave.signal }),
        );
        await Promise.all(readers);
        return context.send(path).finally(() => leave.abort());
      },
      expect: saysError("rate_limit_exceeded"),
    },
  ],
});

/** Reads a copy of the stream until its first event is there: from then on nothing is missed. */
async function firstEventOf(response: Response): Promise<void> {
  const reader = response.clone().body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  expect(Buffer.from(value ?? "").toString()).toContain("event: stream.started");
  // It settles only when the other copy is read.
  void reader?.cancel();
}
