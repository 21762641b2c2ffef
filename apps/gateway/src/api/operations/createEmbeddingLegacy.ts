import { GatewayError } from "@model-gateway/domain/errors";
import { recordableName } from "@model-gateway/domain/request-failure";
import type { Handler } from "../../execution/handler.js";
import { type EmbeddingHandlerServices, embedNamed } from "./createEmbedding.js";

/** Dated to the day that OpenAI removed the path from its own spec. https://www.rfc-editor.org/rfc/rfc9745 */
const deprecated = { deprecation: "@1654041600", link: '</v1/embeddings>; rel="successor-version"' };

export function createEmbeddingLegacy(services: EmbeddingHandlerServices): Handler<"createEmbeddingLegacy"> {
  return async (request) => {
    const { model } = request.parameters;
    const { model: other = model } = request.body;
    if (other !== model) throw differentModels(model, other);
    const response = await embedNamed(model, request, services);
    return { ...response, headers: { ...response.headers, ...deprecated } };
  };
}

function differentModels(inPath: string, inBody: string): GatewayError {
  const write = (path: string, body: string) =>
    `Invalid value for 'model': the path says '${path}' and the body says '${body}'.`;
  const recorded = write(recordableName(inPath), recordableName(inBody));
  return new GatewayError("invalid_value", write(inPath, inBody), { param: "model", recorded });
}
