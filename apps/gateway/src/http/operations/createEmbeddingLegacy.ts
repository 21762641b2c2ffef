import { GatewayError } from "../../errors.js";
import type { Relay } from "../../relay.js";
import type { Handler } from "../handler.js";
import { embed } from "./createEmbedding.js";

/** When OpenAI took the path out of its own document. https://www.rfc-editor.org/rfc/rfc9745 */
const deprecated = { deprecation: "@1654041600", link: '</v1/embeddings>; rel="successor-version"' };

export function createEmbeddingLegacy(relay: Relay): Handler<"createEmbeddingLegacy"> {
  return async (request) => {
    const { model } = request.parameters;
    if (request.body.model !== undefined && request.body.model !== model) {
      throw new GatewayError(
        "invalid_value",
        `Invalid value for 'model': the path says '${model}' and the body says '${request.body.model}'.`,
        { param: "model" },
      );
    }
    const answer = await embed(relay, model, request);
    return { ...answer, headers: { ...answer.headers, ...deprecated } };
  };
}
