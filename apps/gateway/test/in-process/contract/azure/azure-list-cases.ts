import { expect } from "vitest";
import { listCases } from "../alias-cases.js";
import { bodyOf, type ContractCase, saysError } from "../contract.js";
import type { ContractGateway } from "../gateway.js";

/** The requirements for an Azure path that lists models. */
export function azureListCases(context: ContractGateway, path: string) {
  let models: unknown;
  return {
    200: [
      {
        name: "the list of /v1/models",
        send: async () => {
          models = await bodyOf(await context.gateway.send("/v1/models"));
          return context.gateway.send(`${path}?api-version=preview`);
        },
        expect: (body) => expect(body).toEqual(models),
      },
      {
        name: "only what the key may call",
        send: async () => context.gateway.send(path, await context.restricted()),
        expect: (body) => expect(body.data).toEqual([]),
      },
    ],
    400: [
      {
        name: "two versions",
        send: () => context.gateway.send(`${path}?api-version=a&api-version=b`),
        expect: saysError("duplicate_parameter", "api-version"),
      },
    ],
    ...listCases({ context, says: saysError }, path),
  } as const satisfies Record<number, readonly [ContractCase, ...ContractCase[]]>;
}
