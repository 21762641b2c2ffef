import type { Schemas } from "@model-gateway/domain/operations";
import { type ChunkedDocument, type SerializedResponse, serializeList } from "../../embeddings/serialize.js";
import type { Handlers } from "../../execution/handler.js";
import { type NameParameter, namingParameters, renamingRoot } from "../caller-names.js";
import { type EmbeddingHandlerServices, embed } from "./createEmbedding.js";

type VoyageInput = Schemas["VoyageInput"];

/** The path for Voyage clients. https://docs.voyageai.com/reference/multimodal-embeddings-api */
export function createVoyageHandlers({ catalog, embeddings, shadow }: EmbeddingHandlerServices) {
  const services = { catalog, embeddings, shadow, serialize };
  return {
    createVoyageEmbedding: async ({ body, context, header, dataUrls }) => {
      const { inputs, model, output_dimension, output_dtype = null, input_type = null } = body;
      const embedding = {
        input: inputs.map(contentOf),
        dimensions: output_dimension ?? null,
        encoding_format: body.encoding_format ?? body.output_encoding ?? null,
        output_dtype,
        input_type,
      };
      const request = { body: embedding, context, header, dataUrls };
      return embed(model, request, services).catch(namingParameters(nameIn(inputs)));
    },
  } satisfies Partial<Handlers>;
}

/** Unlike elsewhere, the URL of an image is a field of its part, which is named as the part's type. */
function contentOf({ content }: VoyageInput): Schemas["EmbeddingContentInput"] {
  return {
    content: content.map((part) => {
      if (part.type === "text") return part;
      const url = part.type === "image_url" ? part.image_url : part.image_base64;
      return { type: "image_url", image_url: { url } };
    }),
  };
}

const nameRoot = renamingRoot({ input: "inputs", dimensions: "output_dimension" });

function nameIn(inputs: readonly VoyageInput[]): NameParameter {
  return (param) =>
    nameRoot(param).replace(
      /^inputs\[(\d+)\]\.content\[(\d+)\]\.image_url\.url$/,
      (_, input: string, part: string) =>
        `inputs[${input}].content[${part}].${inputs[Number(input)]?.content[Number(part)]?.type}`,
    );
}

/** Writes the spec's CreateVoyageEmbeddingResponse. Voyage's clients read every number of the usage. */
function serialize(response: SerializedResponse): ChunkedDocument {
  const { promptTokens, imageTokens, images } = response;
  const usage = {
    text_tokens: Math.max(0, promptTokens - (imageTokens ?? images?.tokens ?? 0)),
    image_pixels: images?.pixels ?? 0,
    video_pixels: 0,
    total_tokens: promptTokens,
  };
  return serializeList(response, `"usage":${JSON.stringify(usage)}`);
}
