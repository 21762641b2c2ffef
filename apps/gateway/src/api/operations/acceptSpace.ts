import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import type { EmbeddingModel, Target } from "@model-gateway/domain/model";
import { spaceDigest } from "../../embeddings/space.js";
import type { Handler } from "../../execution/handler.js";
import { describeSpace } from "../../models/kinds/served-embedding.js";
import type { Catalog } from "../catalog.js";
import { findTarget } from "../find-target.js";

/**
 * Accepts a target's vectors as those of its space. Returns all models of the space, with their new revision; undefined
 * if the target has not drifted. Built by `app/modules/spaces.ts`.
 */
export type AcceptSpace = (
  model: EmbeddingModel,
  target: Target,
) => Promise<readonly EmbeddingModel[] | undefined>;

export interface SpaceHandlerServices {
  readonly catalog: Catalog;
  readonly acceptSpace: AcceptSpace;
}

export function acceptSpace({ catalog, acceptSpace }: SpaceHandlerServices): Handler<"acceptSpace"> {
  return async ({ body }) => {
    const model = catalog.find(body.model);
    if (model === undefined)
      throw new GatewayError("model_not_found", `The model \`${body.model}\` does not exist.`, {
        param: "model",
      });
    if (model.type !== "embedding")
      throw errorOf("invalid_value", { param: "model", reason: `'${model.id}' creates no embeddings` });
    const target = findTarget(model, body);
    const members = await acceptSpace(model, target);
    const [first] = members ?? [];
    if (members === undefined || first === undefined)
      throw errorOf("space_not_drifted", { model: target.model, upstream: target.upstream });
    return {
      body: {
        object: "space.revision",
        models: members.map(({ id }) => id),
        previous_id: spaceDigest(model),
        space: describeSpace(first),
      },
    };
  };
}
