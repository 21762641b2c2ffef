import { errorOf } from "@model-gateway/domain/errors";
import type { EmbeddingModel } from "@model-gateway/domain/model";
import type { Schemas } from "@model-gateway/domain/operations";
import { calibratedDtype, type QuantizedDtype } from "@model-gateway/domain/output-dtype";
import { formOf, type RequestedOutput } from "../../embeddings/output-dtype.js";
import {
  type ChunkedDocument,
  joinDocuments,
  type SerializedResponse,
  serializeVectors,
} from "../../embeddings/serialize.js";
import type { Handlers } from "../../execution/handler.js";
import { type NameParameter, namingParameters, renamingRoot } from "../caller-names.js";
import { type EmbeddingHandlerServices, embed } from "./createEmbedding.js";

type CohereRequest = Schemas["CreateCohereEmbeddingRequest"];
type EmbeddingType = Schemas["CohereEmbeddingType"];

/** The path for Cohere clients. https://docs.cohere.com/v2/reference/embed */
export function createCohereHandlers({ catalog, embeddings, shadow }: EmbeddingHandlerServices) {
  return {
    createCohereEmbedding: async ({ body, context, header, dataUrls }) => {
      const { input, nameOf } = readInputs(body);
      const types = [...new Set<EmbeddingType>(body.embedding_types ?? ["float"])];
      const services = {
        catalog,
        embeddings,
        shadow,
        output: outputOf(types),
        inputTypeOf: (model: EmbeddingModel) => inputTypeOf(body, model),
        serialize: (response: SerializedResponse) => serialize(response, { id: context.id, types }),
      };
      const request = {
        body: { input, dimensions: body.output_dimension ?? null },
        context,
        header,
        dataUrls,
      };
      return embed(body.model, request, services).catch(namingParameters(nameOf));
    },
  } satisfies Partial<Handlers>;
}

interface CohereInputs {
  readonly input: Schemas["EmbeddingInput"];
  readonly nameOf: NameParameter;
}

/** Reads the one list of inputs that a request has. */
function readInputs({ texts, images, inputs }: CohereRequest): CohereInputs {
  const lists = [
    texts != null && { input: texts, nameOf: nameAs("texts") },
    images != null && { input: images.map(contentOf), nameOf: nameImage },
    inputs != null && { input: inputs, nameOf: nameAs("inputs") },
  ].filter((list) => list !== false);
  const [first, second] = lists;
  if (first === undefined)
    throw errorOf("missing_required_parameter", { param: "texts" }, { hint: oneOfThree });
  if (second === undefined) return first;
  const reason = `the inputs are in '${first.nameOf("input")}' already`;
  throw errorOf("invalid_value", { param: second.nameOf("input"), reason }, { hint: oneOfThree });
}

const oneOfThree = "Send one of 'texts', 'images' and 'inputs'.";

function nameAs(input: string): NameParameter {
  return renamingRoot({ input, dimensions: "output_dimension" });
}

/** An image is an item of a list, and has no parts. */
const nameImage: NameParameter = (param) => nameAs("images")(param).replace(/(?<=^images\[\d+\])\..*/, "");

function contentOf(url: string): Schemas["EmbeddingContentInput"] {
  return { content: [{ type: "image_url", image_url: { url } }] };
}

/** One type is that of the vectors. Several are made from floats, so their space is that of the floats. */
function outputOf(types: readonly EmbeddingType[]): RequestedOutput {
  const dtypes = types.map(dtypeOf).filter((dtype) => dtype !== undefined);
  const calibrated = dtypes.find(calibratedDtype);
  if (calibrated !== undefined && types.length > 1) {
    const reason = `'${calibrated}' must be the only type, because a provider makes it in a call without floats`;
    throw errorOf("invalid_value", { param: "embedding_types", reason });
  }
  const [dtype] = dtypes;
  const quantized = dtype && { dtype, param: "embedding_types" };
  if (types.length > 1) return { dtype: undefined, quantized, form: "base64" };
  return { dtype, quantized, form: formOf(dtype, types[0]) };
}

function dtypeOf(type: EmbeddingType): QuantizedDtype | undefined {
  return type === "float" || type === "base64" ? undefined : type;
}

/** The gateway's words for input types. */
const inputTypeWords = {
  search_query: "query",
  search_document: "document",
  classification: "classification",
  clustering: "clustering",
} as const;

/**
 * The input type in the gateway's words, which share a space with those of the other paths. Undefined for the model's
 * default. Cohere's clients must send one, so a model without input types accepts all: its vectors are the same for
 * every use.
 */
function inputTypeOf(
  { input_type: given, texts }: CohereRequest,
  { inputTypes }: EmbeddingModel,
): string | undefined {
  if (given == null) return undefined;
  if (given === "image") {
    if (texts == null) return undefined;
    throw errorOf("invalid_value", {
      param: "input_type",
      reason: "it is 'image', but the inputs are texts",
    });
  }
  if (inputTypes === undefined) return undefined;
  if (inputTypes === "any") return given;
  const word = inputTypeWords[given];
  if (inputTypes.has(word)) return word;
  const supported = Object.entries(inputTypeWords).filter(([, one]) => inputTypes.has(one));
  const hint = `Supported values are: ${supported.map(([name]) => `'${name}'`).join(", ")}.`;
  throw errorOf(
    "unsupported_value",
    { param: "input_type", value: given },
    { hint: supported.length === 0 ? undefined : hint },
  );
}

/** Writes the spec's CreateCohereEmbeddingResponse: one list for each type. */
function serialize(
  { vectors, promptTokens, imageTokens, images }: SerializedResponse,
  { id, types }: { readonly id: string; readonly types: readonly EmbeddingType[] },
): ChunkedDocument {
  const units = {
    input_tokens: Math.max(0, promptTokens - (imageTokens ?? 0)),
    image_tokens: imageTokens,
    images: images?.count,
  };
  const meta = JSON.stringify({ api_version: { version: "2" }, billed_units: units });
  const lists = types.map((type, index) =>
    serializeVectors(vectors, {
      before: `${index === 0 ? `{"id":${JSON.stringify(id)},"embeddings":{` : ","}"${type}":[`,
      after: index < types.length - 1 ? "]" : `]},"meta":${meta},"response_type":"embeddings_by_type"}`,
      form: formOf(dtypeOf(type), type),
    }),
  );
  return joinDocuments(lists);
}
