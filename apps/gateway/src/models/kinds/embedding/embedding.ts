import { withoutUndefined } from "../../../domain/json.js";
import { defaultSpace, type EmbeddingModel } from "../../../domain/model.js";
import { BatchSender } from "../../../embeddings/coalescing/send-batch.js";
import { callCost } from "../../../embeddings/cost.js";
import { nothingUsed, type UsedAmounts } from "../../../usage/cost.js";
import type { ModelKind, ProbeTools } from "../kind.js";
import { checkEmbeddingModel } from "./checks.js";
import { describeCapabilities, describeForOperators } from "./describe.js";
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
  describe: (model) => ({ embedding: describeCapabilities(model) }),
  describeForOperators,

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

  probe: probeEmbedding,
} satisfies ModelKind<EmbeddingModel, EmbeddingFile>;

const probeText = "The quick brown fox jumps over the lazy dog.";
const probeTokens = 16;

async function probeEmbedding(
  model: EmbeddingModel,
  { dispatcher, context }: ProbeTools,
): Promise<UsedAmounts> {
  const { promptTokens, reportedNanos, target } = await new BatchSender(dispatcher).send(
    { inputs: [probeText], tokens: probeTokens, needsNumbers: false, context },
    { model, options: { encoding_format: "float", inputType: model.inputType } },
  );
  const costNanos = callCost(target, promptTokens, { reportedNanos });
  return { ...nothingUsed, inputTokens: promptTokens, costNanos };
}
