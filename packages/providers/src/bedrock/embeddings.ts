import { GatewayError } from "@model-gateway/domain/errors";
import type { EmbeddingReply } from "@model-gateway/domain/requests";
import { isObject } from "@model-gateway/runtime/json";
import { nameOnlyInput, throwInputError } from "../dialects/embeddings/input-errors.js";
import { encodeImageDocument } from "../dialects/images/image-body.js";
import { readJson } from "../http/json-request.js";
import { invalidReply } from "../http/replies/value-separator.js";
import { readTokenCount, vectorItems } from "../http/replies/vectors.js";
import type { IncomingReply } from "../http/send.js";
import type { CreateContentEmbedding, CreateEmbedding } from "../provider.js";
import { type BatchForm, type EmbeddingFamily, embeddingFamilyOf } from "./embedding-families.js";
import { type Invoke, jsonBody } from "./invoke.js";

const batchPhrases = [
  { pattern: /too many input tokens.{0,40}?max input tokens:\s*(\d+)/i, limits: "tokens" },
  { pattern: /too many (?:input )?tokens|maximum context length|expected maxLength/i, limits: "tokens" },
  { pattern: /expected (?:maxItems|maximum item count):\s*(\d+)/i, limits: "inputs" },
] as const;

/** Creates embeddings in the dialect of the model's family. */
export function createBedrockEmbedding(invoke: Invoke): CreateEmbedding {
  return async (batch, call) => {
    const family = embeddingFamilyOf(call.target.facts);
    if (family === undefined) throw missingModel();
    const reply = await invoke(jsonBody(family.bodyOf(batch)), call).catch(
      throwInputError({ inputCount: batch.inputs.length, phrases: batchPhrases }),
    );
    return readReply(reply, family, batch);
  };
}

/** The same for inputs with images. */
export function createBedrockContentEmbedding(invoke: Invoke): CreateContentEmbedding {
  return async (batch, call) => {
    const family = embeddingFamilyOf(call.target.facts);
    const { contentBodyOf } = family ?? {};
    if (family === undefined || contentBodyOf === undefined) throw missingModel();
    const inputCount = batch.inputs.length;
    const body = encodeImageDocument((base64) => contentBodyOf(batch, base64, call.target.facts));
    const reply = await invoke(body, call).catch(
      throwInputError({ inputCount, phrases: batchPhrases, nameInput: nameOnlyInput(inputCount) }),
    );
    const read = await readReply(reply, family, batch);
    const hasOthers = batch.inputs.some(({ parts }) => parts.some(({ type }) => type !== "image"));
    return hasOthers ? read : { ...read, imageTokens: read.promptTokens };
  };
}

function missingModel(): GatewayError {
  return new GatewayError("upstream_model_missing", "The provider has no such embedding model.");
}

async function readReply(
  reply: IncomingReply,
  family: EmbeddingFamily,
  batch: BatchForm,
): Promise<EmbeddingReply> {
  const document = await readJson(reply);
  if (!isObject(document)) throw invalidReply("it is not an object");
  return {
    items: vectorItems(family.vectorsOf(document, batch)),
    promptTokens: tokensOf(reply, document),
  };
}

/** In some models' bodies, and in a header for all of them. */
function tokensOf({ headers }: IncomingReply, document: Record<string, unknown>): number | undefined {
  return readTokenCount(Number(document.inputTextTokenCount ?? headers["x-amzn-bedrock-input-token-count"]));
}
