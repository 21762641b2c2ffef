import type { BulkCall } from "../domain/call-context.js";
import { errorOf } from "../errors.js";
import type { RequestContext } from "./request/request-context.js";

/** The header in which a caller may lower the priority of a request. */
export const priorityHeader = "x-gateway-priority";

/**
 * Notes for the log and the metrics that a request is a bulk one: by its key, or by its own wish. Undefined where it is
 * interactive.
 */
export function lowerPriority(
  { key, summary }: Pick<RequestContext, "key" | "summary">,
  asked: string | undefined,
): BulkCall | undefined {
  const isBulkKey = key?.priority === "bulk";
  if (isBulkKey && asked === "interactive")
    throw errorOf(
      "invalid_value",
      { param: priorityHeader, reason: "this key has the priority 'bulk'" },
      { hint: "A request can lower its priority, not raise it." },
    );
  if (isBulkKey || asked === "bulk") summary.bulk = { place: 0 };
  return summary.bulk;
}
