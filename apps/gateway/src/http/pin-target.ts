import type { Model } from "../domain/model.js";
import { errorOf, GatewayError } from "../errors.js";
import { kindOf } from "../models/kinds/kinds.js";
import type { RequestContext } from "./request/request-context.js";

/** The header in which an operator names the upstream that must serve a request. */
export const targetHeader = "x-gateway-target";

/**
 * The model with its targets at one upstream alone. Nothing that would let another target respond is left: no cache, no
 * shared calls, no fallback.
 */
export function pinToUpstream<M extends Model>(
  model: M,
  upstream: string,
  { session }: Pick<RequestContext, "session">,
): M {
  if (session?.kind !== "operator")
    throw new GatewayError(
      "unsupported_parameter",
      `Unsupported header '${targetHeader}': only the session of an operator may send it.`,
      { param: targetHeader },
    );
  const targets = model.targets.filter((target) => target.upstream === upstream);
  if (targets.length === 0) {
    const names = [...new Set(model.targets.map((target) => target.upstream))];
    throw errorOf("invalid_value", {
      param: targetHeader,
      reason: `the model '${model.id}' has no target at '${upstream}'; it has some at: ${names.join(", ")}`,
    });
  }
  // Only optional fields are removed, and there is at least one target.
  return { ...kindOf(model).withoutDetours(model), targets, pinnedTo: upstream } as unknown as M;
}
