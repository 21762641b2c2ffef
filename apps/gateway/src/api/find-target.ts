import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import { type Model, type Target, targetKey } from "@model-gateway/domain/model";

/** A target, as the requests of operators name it. */
interface NamedTarget {
  readonly upstream: string;
  readonly target_model?: string | null;
}

/** The target that a request names. Every refusal names the field at fault, and the allowed values. */
export function findTarget({ id, targets }: Model, { upstream, target_model: name }: NamedTarget): Target {
  const all: readonly Target[] = targets;
  const atUpstream = all.filter((target) => target.upstream === upstream);
  if (atUpstream.length === 0)
    throw errorOf("invalid_value", {
      param: "upstream",
      reason: `the model '${id}' has no target there; it has some at: ${listOf(all.map((target) => target.upstream))}`,
    });
  const [only, ...others] =
    typeof name === "string" ? atUpstream.filter(({ model }) => model === name) : atUpstream;
  if (only !== undefined && others.every((other) => targetKey(other) === targetKey(only))) return only;
  const code = typeof name === "string" ? "invalid_value" : "missing_required_parameter";
  throw new GatewayError(
    code,
    `'target_model' must be one of the model's names at this upstream: ${listOf(atUpstream.map(({ model }) => model))}.`,
    { param: "target_model" },
  );
}

function listOf(names: readonly string[]): string {
  return [...new Set(names)].join(", ");
}
