import { expect } from "vitest";
import type { AskModel } from "./alias-cases.js";
import { type ContractCase, saysError } from "./contract.js";
import type { ContractGateway } from "./gateway.js";

/** The requirements for every path that creates images, besides those for every paid path. */
export function imageCases(context: ContractGateway, ask: AskModel) {
  return {
    200: [
      {
        name: "fewer images than requested, where the caller accepts them",
        send: () => {
          context.upstream.follow({ next: [{ faults: [{ kind: "reply", status: 500 }] }] });
          return ask("only-png", { n: 2 }, { headers: { "x-gateway-partial": "allow" } })();
        },
        expect: (body, response) => {
          expect(body.data).toHaveLength(1);
          expect(response.headers.get("x-gateway-failed-images")).toBe("1");
        },
      },
      {
        name: "the same response again for the same Idempotency-Key",
        send: async () => {
          const init = { headers: { "idempotency-key": "again" } };
          await ask("good", { prompt: "once" }, init)();
          return ask("good", { prompt: "once" }, init)();
        },
        expect: (_body, response) => {
          expect(response.headers.get("idempotent-replayed")).toBe("true");
          expect(context.upstream.received.filter(({ body }) => body.prompt === "once")).toHaveLength(1);
        },
      },
      {
        name: "the fallback of a model that no target can serve, named in a header",
        send: ask("away"),
        expect: (body, response) => {
          expect(body.data).toHaveLength(1);
          expect(response.headers.get("x-gateway-model")).toBe("good");
        },
      },
    ],
    202: [
      {
        name: "a job, where the caller prefers one",
        send: ask("good", {}, { headers: { prefer: "respond-async", "x-gateway-priority": "bulk" } }),
        expect: (body, response) => {
          expect(body).toMatchObject({ object: "job", status: "queued", completed_at: null, error: null });
          expect(body.request_id).toBe(response.headers.get("x-request-id"));
          expect(response.headers.get("location")).toBe(`/v1/jobs/${body.id}`);
        },
      },
    ],
    409: [
      {
        name: "an Idempotency-Key with another body",
        send: async () => {
          const init = { headers: { "idempotency-key": "taken" } };
          await ask("good", { prompt: "one" }, init)();
          return ask("good", { prompt: "two" }, init)();
        },
        expect: saysError("idempotency_conflict"),
      },
    ],
    503: [
      {
        name: "an upstream that leaves in the middle of its reply, after which a retry might pay twice",
        send: ask("cut"),
        expect: (body, response) => {
          expect(body.error.code).toBe("upstream_unavailable");
          expect(response.headers.get("x-should-retry")).toBe("false");
          expect(response.headers.get("retry-after")).toBeNull();
        },
      },
    ],
  } as const satisfies Record<number, readonly [ContractCase, ...ContractCase[]]>;
}
