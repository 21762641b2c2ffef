import type { CallContext } from "@model-gateway/domain/call-context";
import type { Model } from "@model-gateway/domain/model";
import type { Schemas } from "@model-gateway/domain/operations";
import type { Dispatcher } from "@model-gateway/scheduling/dispatch";
import type { ShadowFigures } from "../../embeddings/shadow.js";
import type { UsedAmounts } from "../../usage/cost.js";

/**
 * How models of a type are shown and tried. `ModelKind` has what follows from the configuration. The parts are methods, so
 * that one type's kind is assignable to `ServedKind`.
 */
export interface ServedKind<M extends Model = Model> {
  /** A model's capabilities, under the key of its type. */
  describe(model: M): Pick<Schemas["Model"], M["type"]>;
  /** Further fields for operators. Absent ones are shown as null. */
  describeForOperators(model: M, state: OperatorState): Partial<OperatorView>;
  /** Calls the first target of the model once, with the smallest request that proves that it works. */
  probe(model: M, tools: ProbeTools): Promise<UsedAmounts>;
  /** Why a probe must be confirmed. Absent: it costs next to nothing. */
  readonly probeCost?: string;
}

export type OperatorView = Pick<Schemas["AdminModel"], "fallback" | "space" | "shadow">;

/** State of the gateway that operators see beside a model. */
export interface OperatorState {
  readonly shadows: readonly ShadowFigures[];
}

export interface ProbeTools {
  readonly dispatcher: Pick<Dispatcher, "dispatch">;
  readonly context: CallContext;
}
