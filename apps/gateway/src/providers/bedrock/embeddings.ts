import { isObject } from "../../domain/json.js";
import { GatewayError } from "../../errors.js";
import { throwInputError } from "../dialects/embeddings/input-errors.js";
import { readJson } from "../http/json-request.js";
import { invalidReply } from "../http/replies/value-separator.js";
import { readTokenCount, vectorItems } from "../http/replies/vectors.js";
import type { IncomingReply } from "../http/send.js";
import type { CreateEmbedding } from "../provider.js";
import { embeddingFamilyOf } from "./embedding-families.js";
import type { Invoke } from "./invoke.js";

const batchPhrases = [
  { pattern: /too many input tokens.{0,40}?max input tokens:\s*(\d+)/i, limits: "tokens" },
  { pattern: /too many (?:input )?tokens|maximum context length|expected maxLength/i, limits: "tokens" },
  { pattern: /expected (?:maxItems|maximum item count):\s*(\d+)/i, limits: "inputs" },
] as const;

/** Creates embeddings in the dialect of the model's family. */
export function createBedrockEmbedding(invoke: Invoke): CreateEmbedding {
  return async (batch, call) => {
    const family = embeddingFamilyOf(call.model);
    if (family === undefined)
      throw new GatewayError("upstream_model_missing", "The provider has no such embedding model.");
    const reply = await invoke(family.bodyOf(batch), call).catch(
      throwInputError({ inputCount: batch.inputs.length, phrases: batchPhrases }),
    );
    const document = await readJson(reply);
    if (!isObject(document)) throw invalidReply("it is not an object");
    return {
      items: vectorItems(family.vectorsOf(document, batch)),
      promptTokens: tokensOf(reply, document),
    };
  };
}

/** In some models' bodies, and in a header for all of them. */
function tokensOf({ headers }: IncomingReply, document: Record<string, unknown>): number | undefined {
  return readTokenCount(Number(document.inputTextTokenCount ?? headers["x-amzn-bedrock-input-token-count"]));
}
