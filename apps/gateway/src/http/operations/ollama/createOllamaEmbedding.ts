import { type SerializedResponse, serializeVectors } from "../../../embeddings/serialize.js";
import { GatewayError } from "../../../errors.js";
import type { Schemas } from "../../../operations.js";
import type { Handler } from "../../handler.js";
import type { RequestContext } from "../../request/request-context.js";
import { type EmbeddingHandlerServices, embed } from "../createEmbedding.js";

export interface OllamaHandlerServices extends EmbeddingHandlerServices {
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function createOllamaEmbedding({
  catalog,
  embeddings,
  shadow,
  now,
}: OllamaHandlerServices): Handler<"createOllamaEmbedding"> {
  const services = {
    catalog,
    embeddings,
    shadow,
    serialize: ({ model, vectors, promptTokens }: SerializedResponse, { arrivedAt }: RequestContext) =>
      serializeVectors(vectors, {
        before: `{"model":${JSON.stringify(model)},"embeddings":[`,
        after: `],"total_duration":${nanosSince(arrivedAt, now())},"load_duration":0,"prompt_eval_count":${promptTokens}}`,
      }),
  };
  return async ({ body, context, header }) => {
    const { model, input, dimensions, truncate, options } = body;
    refuseOptions(options);
    if (truncate === true) {
      throw new GatewayError(
        "unsupported_value",
        "Unsupported value: 'truncate' must be false or absent. The gateway never cuts an input.",
        { param: "truncate" },
      );
    }
    return embed(model, { body: { input, dimensions: dimensions ?? null }, context, header }, services);
  };
}

/** The clock may have been set back in between. */
function nanosSince(startMs: number, nowMs: number): number {
  return Math.max(0, nowMs - startMs) * 1_000_000;
}

/** Options are for the runner of a model, and no upstream is given any. Some clients send all of them as null. */
export function refuseOptions(options: Schemas["OllamaOptions"] | undefined): void {
  const [name] = Object.entries(options ?? {}).find(([, value]) => value !== null) ?? [];
  if (name === undefined) return;
  const param = `options.${name.slice(0, 100)}`;
  throw new GatewayError(
    "unsupported_parameter",
    `Unsupported parameter: '${param}'. The gateway has no options of a model runner.`,
    { param },
  );
}
