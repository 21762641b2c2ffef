import type { OperationId } from "@model-gateway/domain/operations";
import type { operations } from "@model-gateway/spec";
import { describe, expect, test } from "vitest";
import { checkResponse } from "./check-response.js";
import { recordTraffic } from "./traffic.js";

/** One request with its expected status and response. */
export interface ContractCase {
  readonly name: string;
  readonly send: () => Promise<Response>;
  // biome-ignore lint/suspicious/noExplicitAny: the spec has just been held against the body.
  readonly expect?: (body: any, response: Response) => void;
}

/** The statuses that every path sends alike. `every-operation.test.ts` tests them for all operations. */
export type CommonStatus = 405 | 408 | 431;

type Cases<K extends OperationId> = {
  readonly [Status in Exclude<keyof operations[K]["responses"], CommonStatus>]: readonly [
    ContractCase,
    ...ContractCase[],
  ];
};

/**
 * Tests an operation status by status. A status that the spec names and no case gets does not compile. A header that the
 * spec names and no response has fails the last test, as does one that the spec does not name.
 */
export function contract<K extends OperationId>(operationId: K, cases: Cases<K>): void {
  describe(operationId, () => {
    const traffic = recordTraffic();
    for (const [status, list] of Object.entries<readonly ContractCase[]>(cases)) {
      for (const one of list) {
        test(`${status}: ${one.name}`, async () => {
          const response = await one.send();
          traffic.note(operationId, response);

          const body = await checkResponse(operationId, response);

          expect(response.status, JSON.stringify(body).slice(0, 500)).toBe(Number(status));
          one.expect?.(body, response);
        });
      }
    }

    test("every response was as the spec says, whatever it was for", () => {
      expect(traffic.faults).toEqual([]);
    });

    test("every header that the spec has was seen with its status", () => {
      expect(traffic.unseen(operationId, Object.keys(cases).map(Number))).toEqual([]);
    });
  });
}

/** The body of a response that a case needs on its way. The response that it returns is checked against the spec. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
export async function bodyOf(response: Response): Promise<any> {
  return response.clone().json();
}

/** The expected response to an error with this code. */
export type SaysError = (code: string, param?: string | null) => NonNullable<ContractCase["expect"]>;

/** The expected error response. */
export function saysError(code: string, param: string | null = null): NonNullable<ContractCase["expect"]> {
  return (body) =>
    expect({ code: body.error.code, param: body.error.param }, body.error.message).toEqual({ code, param });
}
