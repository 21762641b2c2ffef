import { errorOf, GatewayError } from "../../../errors.js";
import type { Schemas } from "../../../operations.js";
import type { Catalog } from "../../catalog.js";
import type { Handler } from "../../handler.js";
import { findAllowed } from "../retrieveModel.js";
import { emptyDetails, offeredSince } from "./listOllamaModels.js";

export function retrieveOllamaModel(catalog: Catalog): Handler<"retrieveOllamaModel"> {
  return async ({ body: { model, name }, context }) => {
    const id = model ?? name;
    if (id === undefined) {
      throw errorOf("missing_required_parameter", { param: "model" });
    }
    const described = catalog.describe(findAllowed(id, catalog, context));
    if (described.embedding === undefined) {
      throw new GatewayError(
        "unsupported_operation",
        `The model '${described.id}' is not an embedding model; it supports: ${described.operations.join(", ")}.`,
        { param: "model" },
      );
    }
    return {
      body: {
        license: "",
        modelfile: "",
        parameters: "",
        template: "",
        system: "",
        messages: [],
        details: emptyDetails(),
        model_info: infoOf(described.embedding),
        capabilities: ["embedding"],
        modified_at: offeredSince(described),
      },
    };
  };
}

function infoOf({ dimensions, max_tokens }: Schemas["EmbeddingCapabilities"]): Schemas["OllamaModelInfo"] {
  return {
    "general.architecture": "gateway",
    ...(dimensions === null ? {} : { "gateway.embedding_length": dimensions }),
    ...(max_tokens === null ? {} : { "gateway.context_length": max_tokens }),
  };
}
