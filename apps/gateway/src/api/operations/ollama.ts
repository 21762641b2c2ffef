import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import type { Schemas } from "@model-gateway/domain/operations";
import { type SerializedResponse, serializeVectors } from "../../embeddings/serialize.js";
import type { Handler, Handlers } from "../../execution/handler.js";
import type { RequestContext } from "../../execution/request-context.js";
import { namingParameters, renamingRoot } from "../caller-names.js";
import type { Catalog } from "../catalog.js";
import { describeModel, describeRunningModel, identifyModel, latestTag } from "../documents/OllamaModel.js";
import { type EmbeddingHandlerServices, embed } from "./createEmbedding.js";
import { listAllowed } from "./listModels.js";
import { findAllowed } from "./retrieveModel.js";

interface OllamaHandlerServices extends EmbeddingHandlerServices {
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The Ollama version whose API these paths follow: clients choose features by it. */
const version = "0.12.6";

/** The Ollama paths. */
export function createOllamaHandlers(services: OllamaHandlerServices) {
  const { catalog } = services;
  // Image models are left out: Ollama's clients would take them for models that embed or chat.
  const models = ({ key }: RequestContext) =>
    listAllowed(catalog, key).filter(({ type }) => type === "embedding");
  return {
    createOllamaEmbedding: createOllamaEmbedding(services),
    createOllamaEmbeddingLegacy: createOllamaEmbeddingLegacy(services),
    listOllamaModels: async ({ context }) => ({ body: { models: models(context).map(identifyModel) } }),
    // A model that is ready counts as running: clients look for it here before they send inputs.
    listRunningOllamaModels: async ({ context }) => ({
      body: {
        models: models(context)
          .filter(({ status }) => status === "ready")
          .map(describeRunningModel),
      },
    }),
    retrieveOllamaModel: async ({ body: { model, name }, context }) => {
      const asked = model ?? name;
      if (asked === undefined) throw errorOf("missing_required_parameter", { param: "model" });
      const id = withoutLatest(asked, catalog);
      return { body: describeModel(catalog.describe(findAllowed(id, catalog, context))) };
    },
    retrieveOllamaVersion: async () => ({ body: { version } }),
  } satisfies Partial<Handlers>;
}

function createOllamaEmbedding({
  catalog,
  embeddings,
  shadow,
  now,
}: OllamaHandlerServices): Handler<"createOllamaEmbedding"> {
  return async ({ body: { model, input, dimensions = null, options }, context, header }) => {
    refuseOptions(options);
    const serialize = ({ vectors, promptTokens, form }: SerializedResponse, { arrivedAt }: RequestContext) =>
      serializeVectors(vectors, {
        before: `{"model":${JSON.stringify(model)},"embeddings":[`,
        after: `],"total_duration":${nanosSince(arrivedAt, now())},"load_duration":0,"prompt_eval_count":${promptTokens}}`,
        form,
      });
    const services = { catalog, embeddings, shadow, serialize };
    const request = { body: { input, dimensions }, context, header };
    return embed(withoutLatest(model, catalog), request, services);
  };
}

function createOllamaEmbeddingLegacy({
  catalog,
  embeddings,
  shadow,
}: EmbeddingHandlerServices): Handler<"createOllamaEmbeddingLegacy"> {
  const serialize = ({ vectors, form }: SerializedResponse) =>
    serializeVectors(vectors, { before: '{"embedding":', after: "}", form });
  const services = { catalog, embeddings, shadow, serialize };
  return async ({ body: { model, prompt, options }, context, header }) => {
    refuseOptions(options);
    const request = { body: { input: prompt }, context, header };
    return embed(withoutLatest(model, catalog), request, services).catch(namesPrompt);
  };
}

/** Ollama's clients write the tag that a model without one has, as the list of models does. */
function withoutLatest(id: string, catalog: Catalog): string {
  const isTagged = id.endsWith(latestTag) && catalog.find(id) === undefined;
  return isTagged ? id.slice(0, -latestTag.length) : id;
}

const namesPrompt = namingParameters(renamingRoot({ input: "prompt" }));

/** The clock may have been set back in between. */
function nanosSince(startMs: number, nowMs: number): number {
  return Math.max(0, nowMs - startMs) * 1_000_000;
}

/** Options are for the runner of a model, and no upstream is given any. Some clients send all of them as null. */
function refuseOptions(options: Schemas["OllamaOptions"] | undefined): void {
  const [name] = Object.entries(options ?? {}).find(([, value]) => value !== null) ?? [];
  if (name === undefined) return;
  const param = `options.${name.slice(0, 100)}`;
  throw new GatewayError(
    "unsupported_parameter",
    `Unsupported parameter: '${param}'. The gateway has no options of a model runner.`,
    { param },
  );
}
