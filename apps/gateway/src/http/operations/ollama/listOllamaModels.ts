import { createHash } from "node:crypto";
import type { AccessKey } from "../../../domain/access-key.js";
import type { Schemas } from "../../../operations.js";
import type { Catalog } from "../../catalog.js";
import type { Handler } from "../../handler.js";
import { listAllowed } from "../listModels.js";

export function listOllamaModels(catalog: Catalog): Handler<"listOllamaModels"> {
  return async ({ context: { key } }) => ({ body: { models: listEmbedding(catalog, key).map(describe) } });
}

/** Image models are left out: Ollama's clients would take them for models that embed or chat. */
export function listEmbedding(catalog: Catalog, key: AccessKey | undefined): Schemas["Model"][] {
  return listAllowed(catalog, key).filter(({ type }) => type === "embedding");
}

function describe(model: Schemas["Model"]): Schemas["OllamaModel"] {
  return { ...identify(model), modified_at: offeredSince(model) };
}

/** The fields by which Ollama's clients tell models apart. */
export function identify({ id }: Schemas["Model"]) {
  return {
    name: id,
    model: id,
    size: 0,
    // Clients show the first digits of it, and fail where there are none.
    digest: createHash("sha256").update(id).digest("hex"),
    details: emptyDetails(),
  };
}

export function offeredSince({ created }: Schemas["Model"]): string {
  return new Date(created * 1000).toISOString();
}

export function emptyDetails(): Schemas["OllamaModelDetails"] {
  return {
    parent_model: "",
    format: "",
    family: "",
    families: [],
    parameter_size: "",
    quantization_level: "",
  };
}
