import { GatewayError } from "@model-gateway/domain/errors";
import { BatchTooLargeError, type EmbeddingBatch, type EmbeddingReply } from "@model-gateway/domain/requests";
import { listAt, objectAt } from "@model-gateway/runtime/json";
import { aboutInput, nameOnlyInput, throwInputError } from "../dialects/embeddings/input-errors.js";
import { contentParts, textTokensMax, tooLong } from "../dialects/google/embeddings.js";
import { readUsage, readVectorsReply, type VectorsReply } from "../dialects/google/vectors-reply.js";
import { encodeImageDocument } from "../dialects/images/image-body.js";
import { jsonRequest } from "../http/json-request.js";
import { readTokenCount } from "../http/replies/vectors.js";
import type { Send } from "../http/send.js";
import type { CreateContentEmbedding, CreateEmbedding } from "../provider.js";

/** The verb of the newer models, which takes a single input. */
export const embedContentVariant = "embed-content";

interface Verb {
  readonly name: "embedContent" | "predict";
  readonly bodyOf: (batch: EmbeddingBatch) => object;
  readonly read: (reply: VectorsReply, tokensMax: number) => EmbeddingReply;
}

/** Creates embeddings with the verb of the model. */
export function createVertexEmbedding(send: Send, pathOf: (model: string) => string): CreateEmbedding {
  return async (batch, call) => {
    const { name, bodyOf, read } =
      call.target.facts?.variant === embedContentVariant ? embedContent : predict;
    const inputCount = batch.inputs.length;
    const tokensMax = textTokensMax(call.target.facts);
    const reply = await send(jsonRequest(`${pathOf(call.model)}:${name}`, bodyOf(batch)), call).catch(
      throwInputError({
        inputCount,
        phrases: batchPhrases,
        nameInput: (failure) => withIndex(failure, { inputCount, tokensMax }),
      }),
    );
    return read(await readVectorsReply(reply, inputCount), tokensMax);
  };
}

/** The same for inputs with images. A call has one input. */
export function createVertexContentEmbedding(
  send: Send,
  pathOf: (model: string) => string,
): CreateContentEmbedding {
  return async (batch, call) => {
    const { headers, body } = encodeImageDocument((base64) =>
      contentBody(
        batch.inputs.flatMap((input) => contentParts(input, base64)),
        batch,
      ),
    );
    const request = { path: `${pathOf(call.model)}:embedContent`, headers, body };
    const reply = await send(request, call).catch(
      throwInputError({ inputCount: 1, nameInput: nameOnlyInput(1) }),
    );
    return embedContent.read(await readVectorsReply(reply, 1), textTokensMax(call.target.facts));
  };
}

/** Real refusal messages: the service's for any model, and a single model's. */
const batchPhrases = [
  { pattern: /(?<!\d)(\d{1,9}) instance\(s\) is allowed per prediction/i, limits: "inputs" },
  {
    pattern: /batchSize value of \d+ but the supported range is from 1 \(inclusive\) to (\d+) \(exclusive\)/i,
    limits: "inputs",
    isExclusive: true,
  },
] as const;

interface CheckedCall {
  readonly inputCount: number;
  /** The most tokens of one text. */
  readonly tokensMax: number;
}

/**
 * A refusal does not say which text is too long, unless there is only one. A limit above a single text's is one for the
 * whole call.
 */
function withIndex(failure: unknown, { inputCount, tokensMax }: CheckedCall): unknown {
  if (!(failure instanceof GatewayError) || failure.code !== "context_length_exceeded") return failure;
  const { message, cause, recorded, upstreamStatus } = failure;
  const limit = Number(/but the model supports up to (\d+)/i.exec(message)?.[1]);
  if (inputCount > 1 && limit > tokensMax)
    return new BatchTooLargeError(message, { maxTokens: limit }, { cause, recorded, upstreamStatus });
  return inputCount === 1 ? aboutInput(failure, 0) : failure;
}

/** Without `autoTruncate: false` an input that is too long is cut without a word. */
function contentBody(
  parts: readonly object[],
  { dimensions, inputType }: Pick<EmbeddingBatch, "dimensions" | "inputType">,
): object {
  return {
    content: { parts },
    embedContentConfig: { taskType: inputType, outputDimensionality: dimensions, autoTruncate: false },
  };
}

const embedContent: Verb = {
  name: "embedContent",
  bodyOf: (batch) => {
    const [text] = batch.inputs;
    return contentBody([{ text }], batch);
  },
  read: ({ document, vectorOf }, tokensMax) => {
    if (document.truncated === true) throw tooLong(tokensMax, 0);
    return {
      items: [{ index: 0, vector: vectorOf(document.embedding) }],
      ...readUsage(document),
    };
  },
};

/** The names of the fields have underscores in an instance, and none in the parameters. */
const predict: Verb = {
  name: "predict",
  bodyOf: ({ inputs, dimensions, inputType }) => ({
    instances: inputs.map((content) => ({ content, task_type: inputType })),
    parameters: { outputDimensionality: dimensions, autoTruncate: false },
  }),
  read: ({ document, vectorOf }, tokensMax) => {
    let tokens: number | undefined = 0;
    const items = listAt(document, "predictions").map((prediction, index) => {
      const embeddings = objectAt(prediction, "embeddings");
      const { truncated, token_count } = objectAt(embeddings, "statistics");
      if (truncated === true) throw tooLong(tokensMax, index);
      const count = readTokenCount(token_count);
      // A sum without one of them would be too small.
      tokens = tokens === undefined || count === undefined ? undefined : tokens + count;
      return { index, vector: vectorOf(embeddings) };
    });
    return { items, promptTokens: tokens };
  },
};
