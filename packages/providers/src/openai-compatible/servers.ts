import { isObject } from "@model-gateway/runtime/json";
import type { LoopbackServer, OfferedModel } from "../detection.js";
import { isEmbeddingName } from "../dialects/embeddings/embedding-names.js";
import { readTokenCount } from "../http/replies/vectors.js";

/** Its list tells the types of models apart, unlike that of OpenAI's dialect. https://lmstudio.ai/docs/api/rest-api */
export const lmStudio: LoopbackServer = {
  name: "lm-studio",
  title: "LM Studio",
  port: 1234,
  listPath: "/api/v0/models",
  basePath: "/v1",
  modelsIn: (list) => {
    const models = modelsOf(list)?.filter(({ type }) => type === "embeddings");
    // It ignores both parameters, and returns whole vectors as numbers.
    const target = { encoding: "none", dimensions: "emulate" };
    return models && { embedding: byId(models, { lengthKey: "max_context_length", target }) };
  },
};

/** https://docs.vllm.ai/en/latest/serving/openai_compatible_server */
export const vllm: LoopbackServer = {
  name: "vllm",
  title: "vLLM",
  port: 8000,
  listPath: "/v1/models",
  basePath: "/v1",
  modelsIn: (list) => {
    const models = modelsOf(list);
    if (models?.some((model) => model.owned_by === "vllm") !== true) return undefined;
    const embedding = models.filter(({ id }) => isEmbeddingName(id));
    // It refuses widths, unless the files of the model have a flag.
    return { embedding: byId(embedding, { lengthKey: "max_model_len", target: { dimensions: "emulate" } }) };
  },
};

const sdServerModel = "sd-cpp-local";

/** The server of stable-diffusion.cpp has one model, always by the same name. */
export const sdServer: LoopbackServer = {
  name: "sd-server",
  title: "stable-diffusion.cpp",
  port: 1234,
  listPath: "/v1/models",
  basePath: "/v1",
  modelsIn: (list) => {
    if (modelsOf(list)?.some(({ id }) => id === sdServerModel) !== true) return undefined;
    const profile = {
      like: "dall-e",
      sizes: ["auto", "WIDTHxHEIGHT"],
      qualities: ["auto"],
      responseFormats: ["b64_json"],
    };
    return { image: { [sdServerModel]: { profile } } };
  },
};

interface ServerModel extends Readonly<Record<string, unknown>> {
  readonly id: string;
}

/** Undefined if it is not a list of models. */
function modelsOf(list: unknown): ServerModel[] | undefined {
  if (!isObject(list) || !Array.isArray(list.data)) return undefined;
  const items: readonly unknown[] = list.data;
  return items.flatMap((item) =>
    isObject(item) && typeof item.id === "string" ? [{ ...item, id: item.id }] : [],
  );
}

interface ModelKeys {
  /** The field of the list with the longest text, in tokens. */
  readonly lengthKey: string;
  readonly target: OfferedModel["target"];
}

function byId(
  models: readonly ServerModel[],
  { lengthKey, target }: ModelKeys,
): Record<string, OfferedModel> {
  return Object.fromEntries(
    models.map((model) => {
      const maxTokens = readTokenCount(model[lengthKey]);
      return [model.id, { ...(maxTokens === undefined ? {} : { maxTokens }), ...(target && { target }) }];
    }),
  );
}
