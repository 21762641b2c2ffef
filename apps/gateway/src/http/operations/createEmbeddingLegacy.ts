import { GatewayError } from "../../errors.js";
import type { Handler } from "../handler.js";
import { type EmbeddingHandlerServices, embed } from "./createEmbedding.js";

/** Dated to the day that OpenAI removed the path from its own spec. https://www.rfc-editor.org/rfc/rfc9745 */
const deprecated = { deprecation: "@1654041600", link: '</v1/embeddings>; rel="successor-version"' };

export function createEmbeddingLegacy(services: EmbeddingHandlerServices): Handler<"createEmbeddingLegacy"> {
  return async (request) => {
    const { model } = request.parameters;
    if (request.body.model !== undefined && request.body.model !== model) {
      throw new GatewayError(
        "invalid_value",
        `Invalid value for 'model': the path says '${model}' and the body says '${request.body.model}'.`,
        { param: "model" },
      );
    }
    const response = await embed(model, request, services);
    return { ...response, headers: { ...response.headers, ...deprecated } };
  };
}
