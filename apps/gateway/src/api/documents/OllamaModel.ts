import { createHash } from "node:crypto";
import { GatewayError } from "@model-gateway/domain/errors";
import type { ResponseBody, Schemas } from "@model-gateway/domain/operations";
import { servedPaths } from "../model-errors.js";

/** A model in the list of all. */
export function identifyModel(model: Schemas["Model"]): Schemas["OllamaModel"] {
  return { ...identityOf(model), modified_at: offeredSince(model) };
}

/** As far from now as Ollama's own clients can count. */
const never = "2300-01-01T00:00:00.000Z";

/** A model in the list of those that run. */
export function describeRunningModel(model: Schemas["Model"]): Schemas["OllamaRunningModel"] {
  return {
    ...identityOf(model),
    expires_at: never,
    size_vram: 0,
    context_length: model.embedding?.max_tokens ?? 0,
  };
}

/** One embedding model by itself. */
export function describeModel(model: Schemas["Model"]): ResponseBody<"retrieveOllamaModel"> {
  if (model.embedding === undefined) {
    throw new GatewayError(
      "unsupported_operation",
      `The model '${model.id}' is not an embedding model. It serves ${servedPaths(model.operations)}.`,
      { param: "model" },
    );
  }
  return {
    license: "",
    modelfile: "",
    parameters: "",
    template: "",
    system: "",
    messages: [],
    details: emptyDetails(),
    model_info: infoOf(model.embedding),
    capabilities: ["embedding"],
    modified_at: offeredSince(model),
  };
}

/** Every name in Ollama's lists has a tag, and clients look for it there. */
export const latestTag = ":latest";

/** The fields by which Ollama clients distinguish models. */
function identityOf({ id, is_pattern = false }: Schemas["Model"]) {
  const name = id.includes(":") || is_pattern ? id : `${id}${latestTag}`;
  return {
    name,
    model: name,
    size: 0,
    // Clients show its first digits, and fail without any.
    digest: createHash("sha256").update(id).digest("hex"),
    details: emptyDetails(),
  };
}

function offeredSince({ created }: Schemas["Model"]): string {
  return new Date(created * 1000).toISOString();
}

function emptyDetails(): Schemas["OllamaModelDetails"] {
  return {
    parent_model: "",
    format: "",
    family: "",
    families: [],
    parameter_size: "",
    quantization_level: "",
  };
}

function infoOf({ dimensions, max_tokens }: Schemas["EmbeddingCapabilities"]): Schemas["OllamaModelInfo"] {
  return {
    "general.architecture": "gateway",
    ...(dimensions === null ? {} : { "gateway.embedding_length": dimensions }),
    ...(max_tokens === null ? {} : { "gateway.context_length": max_tokens }),
  };
}
