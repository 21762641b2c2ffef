import type { Handler } from "../../handler.js";
import { type EmbeddingHandlerServices, embed } from "../createEmbedding.js";

/** The deployment is the model. Azure's clients often send another model in the body, which Azure ignores. */
export function createAzureDeploymentEmbedding(
  services: EmbeddingHandlerServices,
): Handler<"createAzureDeploymentEmbedding"> {
  return (request) => embed(request.parameters.model, request, services);
}
