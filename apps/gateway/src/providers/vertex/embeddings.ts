import { listAt, objectAt } from "../../domain/json.js";
import type { EmbeddingBatch, EmbeddingReply } from "../../domain/requests.js";
import { GatewayError } from "../../errors.js";
import { textTokensMax, tooLong } from "../gemini/embeddings.js";
import { readPromptTokens, readVectorsReply, type VectorsReply } from "../gemini/vectors-reply.js";
import { asInputError } from "../http/errors/input-errors.js";
import { jsonRequest } from "../http/json-request.js";
import type { IncomingReply, Send } from "../http/send.js";
import { readTokenCount } from "../openai/embeddings.js";
import type { ProviderOperations } from "../provider.js";

/** The newer models have a verb of their own, which takes a single input. */
function hasEmbedContent(model: string): boolean {
  return model.startsWith("gemini") && model !== "gemini-embedding-001";
}

interface Verb {
  readonly name: "embedContent" | "predict";
  readonly bodyOf: (batch: EmbeddingBatch) => object;
  readonly read: (reply: VectorsReply, tokensMax: number) => EmbeddingReply;
}

/** Creates embeddings with the verb of the model. */
export function createVertexEmbedding(
  send: Send,
  pathOf: (model: string) => string,
): NonNullable<ProviderOperations["createEmbedding"]> {
  return async (batch, call) => {
    const { name, bodyOf, read } = hasEmbedContent(call.model) ? embedContent : predict;
    const inputCount = batch.inputs.length;
    let reply: IncomingReply;
    try {
      reply = await send(jsonRequest(`${pathOf(call.model)}:${name}`, bodyOf(batch)), call);
    } catch (failure) {
      throw asInputError(withIndex(failure, inputCount), { inputCount });
    }
    return read(await readVectorsReply(reply, inputCount), textTokensMax(call.model));
  };
}

/** A refusal does not say which text is too long. Of one text it is known. */
function withIndex(failure: unknown, inputCount: number): unknown {
  const isTooLong = failure instanceof GatewayError && failure.code === "context_length_exceeded";
  if (!isTooLong || inputCount !== 1) return failure;
  const { code, message, cause } = failure;
  return new GatewayError(code, message, { param: "input", inputIndex: 0, cause, nothingBilled: true });
}

/** Without `autoTruncate: false` a text that is too long is cut without a word. */
const embedContent: Verb = {
  name: "embedContent",
  bodyOf: ({ inputs: [text], dimensions, inputType }) => ({
    content: { parts: [{ text }] },
    embedContentConfig: { taskType: inputType, outputDimensionality: dimensions, autoTruncate: false },
  }),
  read: ({ document, vectorOf }, tokensMax) => {
    if (document.truncated === true) throw tooLong(tokensMax, 0);
    return {
      items: [{ index: 0, vector: vectorOf(document.embedding) }],
      promptTokens: readPromptTokens(document),
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
