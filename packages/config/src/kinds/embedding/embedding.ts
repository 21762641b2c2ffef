import { defaultSpace, type EmbeddingModel } from "@model-gateway/domain/model";
import { withoutUndefined } from "@model-gateway/runtime/json";
import type { ModelKind } from "../kind.js";
import { checkEmbeddingModel } from "./checks.js";
import { resolveEmbeddingModel } from "./resolve.js";
import { type EmbeddingFile, embeddingSettings } from "./settings.js";

const operations = ["createEmbedding", "createEmbeddingLegacy"] as const;

/** Any text has a vector, and one word costs about one token. */
const recognizedBy = "word";

/** Models that turn texts into vectors. */
export const embedding = {
  type: "embedding",
  trait: "embeddings",
  mainOperation: "createEmbedding",
  example: { input: "The cat sat on the mat." },

  settings: embeddingSettings,
  check: checkEmbeddingModel,
  supports: (_model, operation) => operation === "createEmbedding",
  resolve: resolveEmbeddingModel,

  operationsOf: () => operations,

  withoutDetours: ({ cache: _cache, coalesce: _coalesce, hedge: _hedge, ...model }) => model,
  // Two models never share a vector space, even if the operator gave the pattern a name for it.
  derive: ({ space }, captured) => ({
    // A function, because `$` in a text would have a special meaning.
    space: space.includes("*") ? space.replace("*", () => captured) : `${space} ${captured}`,
  }),
  readListed: (_model, { maxTokens }) => withoutUndefined({ maxTokens }),
  recognize: async ({ createEmbedding }, call) => {
    const reply = await createEmbedding?.({ inputs: [recognizedBy] }, call);
    const width = reply?.items[0]?.vector.width;
    return width === undefined ? undefined : { dimensions: width, space: defaultSpace(call.model, width) };
  },
} satisfies ModelKind<EmbeddingModel, EmbeddingFile>;
