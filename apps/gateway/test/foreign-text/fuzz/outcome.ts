import { errorTable, GatewayError } from "@model-gateway/domain/errors";
import type { Parser } from "../parser.js";

/** The value or the failure of a parser. */
export type Outcome = { readonly value: unknown } | { readonly failure: unknown };

export async function outcomeOf(parser: Parser, bytes: Buffer, chunkBytes?: number): Promise<Outcome> {
  try {
    return { value: await parser.read(Buffer.from(bytes), chunkBytes) };
  } catch (failure) {
    return { failure };
  }
}

/** An outcome that can be compared with another. */
export function plain(outcome: Outcome, { namesAnyFault }: Pick<Parser, "namesAnyFault">): unknown {
  if ("value" in outcome) return outcome;
  if (namesAnyFault) return "refused";
  const { name, message } = outcome.failure as Error;
  return { name, message };
}

/** Errors that name a fault of a program. */
const faults: ReadonlySet<unknown> = new Set([
  TypeError,
  RangeError,
  ReferenceError,
  EvalError,
  URIError,
  SyntaxError,
]);
/** An error text is written into logs and responses. */
const messageLengthMax = 4096;

/** Why an outcome is neither a value nor one of the refusals of its parser. Undefined if it is. */
export function faultOf(outcome: Outcome, { refusals }: Pick<Parser, "refusals">): string | undefined {
  if ("value" in outcome) return undefined;
  const { failure } = outcome;
  if (!(failure instanceof Error)) return `It throws ${String(failure)}, which is not an error.`;
  if (!refusals.some((refusal) => failure.constructor === refusal)) return `It throws ${failure.stack}`;
  if (failure instanceof GatewayError && errorTable[failure.code].status === 500)
    return `It throws ${failure.stack}`;
  if (failure.message.length > messageLengthMax)
    return `It throws a message of ${failure.message.length} characters.`;
  const cause = causesOf(failure).find(isFault);
  return cause && `It throws an error that hides ${cause.stack}`;
}

function causesOf({ cause }: Error): Error[] {
  return cause instanceof Error ? [cause, ...causesOf(cause)] : [];
}

/** The errors of Node for bad arguments have a code, and JSON.parse throws syntax errors. */
function isFault(error: Error): boolean {
  return faults.has(error.constructor) && !("code" in error) && !(error instanceof SyntaxError);
}
