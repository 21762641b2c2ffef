import type { Schemas } from "../../../operations.js";
import type { Catalog } from "../../catalog.js";
import type { Handler } from "../../handler.js";
import { identify, listEmbedding } from "./listOllamaModels.js";

/** As far from now as Ollama's own clients can count. */
const never = "2300-01-01T00:00:00.000Z";

/** A model that is ready counts as running: clients look for it here before they send inputs. */
export function listRunningOllamaModels(catalog: Catalog): Handler<"listRunningOllamaModels"> {
  return async ({ context: { key } }) => ({
    body: {
      models: listEmbedding(catalog, key)
        .filter(({ status }) => status === "ready")
        .map(describe),
    },
  });
}

function describe(model: Schemas["Model"]): Schemas["OllamaRunningModel"] {
  return {
    ...identify(model),
    expires_at: never,
    size_vram: 0,
    context_length: model.embedding?.max_tokens ?? 0,
  };
}
