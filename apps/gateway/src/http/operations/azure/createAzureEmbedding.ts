import type { Handler } from "../../handler.js";
import { type EmbeddingHandlerServices, embed } from "../createEmbedding.js";

export function createAzureEmbedding(services: EmbeddingHandlerServices): Handler<"createAzureEmbedding"> {
  return (request) => embed(request.body.model, request, services);
}
