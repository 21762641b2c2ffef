import type { operations } from "@model-gateway/spec";
import { describe, expect, test } from "vitest";
import type { OperationId } from "../../src/operations.js";
import { checkAnswer } from "./check-answer.js";

/** One request that must get this status, and what else must hold of the answer. */
export interface ContractCase {
  readonly name: string;
  readonly send: () => Promise<Response>;
  // biome-ignore lint/suspicious/noExplicitAny: the spec has just been held against the body.
  readonly expect?: (body: any, answer: Response) => void;
}

type Cases<K extends OperationId> = {
  readonly [Status in keyof operations[K]["responses"]]: readonly [ContractCase, ...ContractCase[]];
};

/** Tests an operation status by status. A status that the spec names and no case gets does not compile. */
export function contract<K extends OperationId>(operationId: K, cases: Cases<K>): void {
  describe(operationId, () => {
    for (const [status, list] of Object.entries<readonly ContractCase[]>(cases)) {
      for (const one of list) {
        test(`${status}: ${one.name}`, async () => {
          const answer = await one.send();

          const body = await checkAnswer(operationId, answer);

          expect(answer.status, JSON.stringify(body).slice(0, 500)).toBe(Number(status));
          one.expect?.(body, answer);
        });
      }
    }
  });
}

/** The body of an answer that a case looks into on its way; the one that it gives back is held against the spec. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
export async function bodyOf(answer: Response): Promise<any> {
  return answer.clone().json();
}

/** What an error answer must say. */
export function saysError(code: string, param: string | null = null): NonNullable<ContractCase["expect"]> {
  return (body) =>
    expect({ code: body.error.code, param: body.error.param }, body.error.message).toEqual({ code, param });
}
