import { expect } from "vitest";
import { type ContractCase, type SaysError, saysError } from "./contract.js";
import type { ContractGateway } from "./gateway.js";

/** Maximum number of requests that a budget of 26 cents can pay for. */
const paidMax = 40;

const inBulk = { "x-gateway-priority": "bulk" };

/**
 * Responses of every paid operation to keys with limits. `send` sends a request that is served, and `says` is the form
 * of an error at its path.
 */
export function limitCases(
  context: ContractGateway,
  send: (init: RequestInit) => Promise<Response>,
  says: SaysError = saysError,
): Readonly<Record<200 | 429, readonly [ContractCase, ...ContractCase[]]>> {
  const limits = { requests_per_minute: 1, tokens_per_day: 1000, images_per_day: 10 };
  return {
    200: [
      {
        name: "it reports the rest of every limit",
        send: async () => send(await context.limited(limits)),
        expect: (_body, response) => expect(response.headers.get("x-ratelimit-remaining-requests")).toBe("0"),
      },
      {
        name: "it reports the rest of the budget",
        send: async () => send(await context.budgeted({ usd: 100, per: "month" })),
        expect: (_body, response) =>
          expect(response.headers.get("x-gateway-budget-remaining")).toMatch(/^99\./),
      },
      {
        name: "a bulk request gets its place in the queue",
        send: () => send({ headers: inBulk }),
        expect: (_body, response) => expect(response.headers.get("x-gateway-queue-place")).toBe("0"),
      },
    ],
    429: [
      {
        name: "a key over its limit of requests",
        send: async () => {
          const key = await context.limited(limits);
          await (await send(key)).arrayBuffer();
          return send({ headers: { ...key.headers, ...inBulk } });
        },
        expect: says("rate_limit_exceeded"),
      },
      {
        name: "a key over its budget",
        send: async () => {
          const key = await context.budgeted({ usd: 0.26, per: "month" });
          for (let paid = 0; paid < paidMax; paid += 1) {
            const response = await send(key);
            if (response.status === 429) return response;
            await response.arrayBuffer();
          }
          throw new Error("The budget was never used up.");
        },
        expect: says("insufficient_quota"),
      },
    ],
  };
}
