import type { EmbeddingModel, Target } from "../../domain/model.js";
import { spaceDigest } from "../../embeddings/space.js";
import { GatewayError } from "../../errors.js";
import type { Catalog } from "../catalog.js";
import { findTarget } from "../find-target.js";
import type { Handler } from "../handler.js";
import { describeSpace } from "../schemas/VectorSpace.js";

/**
 * Makes the vectors of a target those of its space. Returns all models of the space, with their new revision; undefined
 * if the target has not drifted. Built by `app/space-service.ts`.
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
      throw new GatewayError("invalid_value", `Invalid 'model': '${model.id}' creates no embeddings.`, {
        param: "model",
      });
    const target = findTarget(model, body);
    const members = await acceptSpace(model, target);
    const [first] = members ?? [];
    if (members === undefined || first === undefined)
      throw new GatewayError(
        "space_not_drifted",
        `The vectors of '${target.model}' at '${target.upstream}' have not drifted, or the gateway does not check them. There is nothing to accept.`,
      );
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
