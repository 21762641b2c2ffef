import { type ErrorCode, errorTable } from "../../errors.js";

/** What came of a request, in the fewest words that tell whose turn it is to act. */
export const outcomes = ["ok", "caller", "limited", "upstream", "gateway"] as const;
export type RequestOutcome = (typeof outcomes)[number];

/** A stream may fail after its 200 has gone out, so that the code counts for more than the status. */
export function outcomeOf(status: number, errorCode: string | null): RequestOutcome {
  const meant = isKnown(errorCode) ? errorTable[errorCode].status : status;
  if (meant < 400) return "ok";
  if (meant === 429) return "limited";
  if (meant < 500) return "caller";
  // No upstream was asked: the database of the gateway is away.
  if (errorCode === "storage_unavailable") return "gateway";
  return meant === 502 || meant === 503 || meant === 504 ? "upstream" : "gateway";
}

/** The code as a label: one of the table, or `none`, or `unknown`. */
export function codeLabel(errorCode: string | null): string {
  if (errorCode === null) return "none";
  return isKnown(errorCode) || errorCode === callerLeft ? errorCode : "unknown";
}

/** Stands in the log where an error would, but is never answered: there is nobody left. */
const callerLeft = "caller_left";

function isKnown(code: string | null): code is ErrorCode {
  return code !== null && Object.hasOwn(errorTable, code);
}
