import { imageModality } from "@model-gateway/domain/model-facts";
import type { EmbeddingBatch, EmbeddingReply } from "@model-gateway/domain/requests";
import { isObject, objectAt } from "@model-gateway/runtime/json";
import type { Call } from "../call.js";
import { type CohereForm, cohereBody, cohereContentBody, cohereVectors } from "../dialects/cohere.js";
import { nameOnlyInput, type RefusedInputs, throwInputError } from "../dialects/embeddings/input-errors.js";
import { dataUrls, encodeImageDocument } from "../dialects/images/image-body.js";
import { jsonRequest, readJson } from "../http/json-request.js";
import { invalidReply } from "../http/replies/value-separator.js";
import { vectorItems } from "../http/replies/vectors.js";
import type { OutgoingRequest, Send } from "../http/send.js";
import type { CreateContentEmbedding, CreateEmbedding } from "../provider.js";

const batchPhrases = [
  { pattern: /(?:texts|inputs|images) must be at most (\d+)/i, limits: "inputs" },
] as const;

/** Creates embeddings at `POST /embed`. */
export function createCohereEmbedding(send: Send): CreateEmbedding {
  return (batch, call) => {
    const form = formOf(batch);
    const request = jsonRequest("/embed", { model: call.model, ...cohereBody(batch, form) });
    return embed(send, { request, call, form, inputCount: batch.inputs.length });
  };
}

/** The same for inputs with images. */
export function createCohereContentEmbedding(send: Send): CreateContentEmbedding {
  return (batch, call) => {
    const form = formOf(batch);
    const { mixes: mixesParts = true } = imageModality(call.target.facts) ?? {};
    const { headers, body } = encodeImageDocument((base64) => ({
      model: call.model,
      ...cohereContentBody(batch, { form, mixesParts, dataUrl: dataUrls(base64) }),
    }));
    const inputCount = batch.inputs.length;
    const request = { path: "/embed", headers, body };
    return embed(send, { request, call, form, inputCount, nameInput: nameOnlyInput(inputCount) });
  };
}

function formOf({
  outputDtype,
  encoding_format,
}: Pick<EmbeddingBatch, "outputDtype" | "encoding_format">): CohereForm {
  return outputDtype ?? encoding_format ?? "float";
}

interface CohereCall {
  readonly request: OutgoingRequest;
  readonly call: Call;
  readonly form: CohereForm;
  readonly inputCount: number;
  readonly nameInput?: RefusedInputs["nameInput"];
}

async function embed(send: Send, { request, call, form, ...refused }: CohereCall): Promise<EmbeddingReply> {
  const reply = await send(request, call).catch(throwInputError({ ...refused, phrases: batchPhrases }));
  return readReply(await readJson(reply), form);
}

/** Tokens of texts and of images are billed apart. Version 3 counts images, and no tokens of them. */
function readReply(reply: unknown, form: CohereForm): EmbeddingReply {
  if (!isObject(reply)) throw invalidReply("it is not an object");
  const units = objectAt(objectAt(reply, "meta"), "billed_units");
  const imageTokens = readUnits(units.image_tokens);
  const textTokens = readUnits(units.input_tokens);
  return {
    items: vectorItems(cohereVectors(reply, form)),
    promptTokens:
      imageTokens === undefined && textTokens === undefined
        ? undefined
        : (imageTokens ?? 0) + (textTokens ?? 0),
    imageTokens,
  };
}

/** The units are numbers, which need not be whole. */
function readUnits(units: unknown): number | undefined {
  return typeof units === "number" && units > 0 && units < Number.MAX_SAFE_INTEGER
    ? Math.ceil(units)
    : undefined;
}
