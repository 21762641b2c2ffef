import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import { type EmbeddingModel, isPattern, targetKey } from "@model-gateway/domain/model";
import type { Handler } from "../../execution/handler.js";
import type { TargetComparison } from "../../spaces/comparison-store.js";
import type { Catalog } from "../catalog.js";
import { describeComparison, type ReadComparisons } from "../documents/SpaceComparison.js";

/** Compares the targets of a model, and keeps the result. Built by `app/modules/comparisons.ts`. */
export type CompareTargets = (model: EmbeddingModel) => Promise<TargetComparison>;

export interface ComparisonHandlerServices {
  readonly catalog: Catalog;
  readonly compareTargets: CompareTargets;
  readonly readComparisons: ReadComparisons;
}

export function compareTargets({
  catalog,
  compareTargets,
}: Pick<ComparisonHandlerServices, "catalog" | "compareTargets">): Handler<"compareTargets"> {
  return async ({ body }) => {
    const model = catalog.find(body.model);
    if (model === undefined)
      throw new GatewayError("model_not_found", `The model \`${body.model}\` does not exist.`, {
        param: "model",
      });
    const refuse = (reason: string) => errorOf("invalid_value", { param: "model", reason });
    if (model.type !== "embedding") throw refuse(`'${model.id}' creates no embeddings`);
    if (model.pattern !== undefined || isPattern(model.id))
      throw refuse("models behind a pattern have different vector spaces");
    if (new Set(model.targets.map(targetKey)).size < 2) throw refuse(`'${model.id}' has one target`);
    return { body: describeComparison({ ...(await compareTargets(model)), isOutdated: false }) };
  };
}
