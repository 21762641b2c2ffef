import { kindOf } from "@model-gateway/config/kinds/kinds";
import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import type { Model, Target } from "@model-gateway/domain/model";
import type { RequestContext } from "../execution/request-context.js";

/** The headers in which an operator names the target that must serve a request: its upstream, and its model there. */
const upstreamHeader = "x-gateway-target";
const modelHeader = "x-gateway-target-model";

/**
 * The model with the targets that the headers of a request name; the model itself without such headers. Nothing that
 * would let another target respond is left: no cache, no shared calls, no fallback.
 */
export function pinToTarget<M extends Model>(
  model: M,
  header: (name: string) => string | undefined,
  { session }: Pick<RequestContext, "session">,
): M {
  const [upstream, name] = [header(upstreamHeader), header(modelHeader)];
  if (upstream === undefined && name === undefined) return model;
  if (session?.kind !== "operator") {
    const param = upstream === undefined ? modelHeader : upstreamHeader;
    throw new GatewayError(
      "unsupported_parameter",
      `Unsupported header '${param}': only the session of an operator may send it.`,
      { param },
    );
  }
  if (upstream === undefined)
    throw errorOf("invalid_value", {
      param: modelHeader,
      reason: `it is used only with '${upstreamHeader}', which names the upstream`,
    });
  const all: readonly Target[] = model.targets;
  const there = all.filter((target) => target.upstream === upstream);
  if (there.length === 0)
    throw errorOf("invalid_value", {
      param: upstreamHeader,
      reason: `the model '${model.id}' has no target at '${upstream}'; it has some at: ${listOf(all.map((target) => target.upstream))}`,
    });
  const targets = name === undefined ? there : there.filter((target) => target.model === name);
  if (targets.length === 0)
    throw errorOf("invalid_value", {
      param: modelHeader,
      reason: `the model '${model.id}' has no target '${name}' at '${upstream}'; it has there: ${listOf(there.map((target) => target.model))}`,
    });
  const pinnedTo = name === undefined ? upstream : JSON.stringify([upstream, name]);
  // Only optional fields are removed, and there is at least one target.
  return { ...kindOf(model).withoutDetours(model), targets, pinnedTo } as unknown as M;
}

function listOf(names: readonly string[]): string {
  return [...new Set(names)].join(", ");
}
