import { createHash } from "node:crypto";
import type { Schemas } from "../../../operations.js";
import type { Catalog } from "../../catalog.js";
import type { Handler } from "../../handler.js";
import { listAllowed } from "../listModels.js";

/** Image models are left out: Ollama's clients would take them for models that embed or chat. */
export function listOllamaModels(catalog: Catalog): Handler<"listOllamaModels"> {
  return async ({ context: { key } }) => ({
    body: {
      models: listAllowed(catalog, key)
        .filter(({ type }) => type === "embedding")
        .map(describe),
    },
  });
}

function describe({ id, created }: Schemas["Model"]): Schemas["OllamaModel"] {
  return {
    name: id,
    model: id,
    modified_at: new Date(created * 1000).toISOString(),
    size: 0,
    // Clients show the first digits of it, and fail where there are none.
    digest: createHash("sha256").update(id).digest("hex"),
    details: {
      parent_model: "",
      format: "",
      family: "",
      families: [],
      parameter_size: "",
      quantization_level: "",
    },
  };
}
