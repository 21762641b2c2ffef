import { z } from "zod";
import { dataUrlImage, type FakePart, imagesIn, keyOf, textsIn } from "../contents.js";
import { type FakeReply, type StrictServer, startStrictServer, strictRoute } from "../strict-server.js";
import { base64Of, countWords, quantized, unitVector } from "../unit-vectors.js";

export const cohereKey = "cohere-secret";

const v5 = { version: 4, native: 2048, widths: [256, 512, 768, 1024, 1536, 2048] } as const;
/** The last one is of a generation that no shipped catalogue knows. */
const models = {
  "embed-english-v3.0": { version: 3, native: 1536, widths: [] },
  "embed-v4.0": { version: 4, native: 1536, widths: [256, 512, 1024, 1536] },
  "embed-v5.0-pro": v5,
  "embed-v5.0-fast": v5,
  "embed-v9.0-pro": { version: 4, native: 4096, widths: [128, 4096] },
} as const;
/** A word counts as a token. */
const contextTokens = 128_000;

/** Also of Cohere's models at other hosts. An image is a data URL, and never a link. */
export const cohereInputs = {
  input_type: z.enum(["search_query", "search_document", "classification", "clustering", "image"]),
  texts: z.array(z.string()).min(1).optional(),
  images: z
    .array(dataUrlImage(["png", "jpeg", "webp"]))
    .min(1)
    .optional(),
};
/** Version 4 has them. */
export const mixedInputs = z
  .array(
    z.strictObject({
      content: z
        .array(
          z.discriminatedUnion("type", [
            z.strictObject({ type: z.literal("text"), text: z.string().min(1) }),
            z.strictObject({
              type: z.literal("image_url"),
              image_url: z.strictObject({ url: dataUrlImage(["png", "jpeg", "webp"]) }),
            }),
          ]),
        )
        .min(1),
    }),
  )
  .min(1)
  .optional();

const body = z.strictObject({
  ...cohereInputs,
  inputs: mixedInputs,
  model: z.enum(Object.keys(models) as (keyof typeof models)[]),
  embedding_types: z.array(z.enum(["float", "base64", "int8", "uint8"])).min(1),
  output_dimension: z.int().optional(),
  truncate: z.enum(["NONE", "START", "END"]).default("END"),
});

/** https://docs.cohere.com/v2/reference/embed */
export function startFakeCohere(): Promise<StrictServer> {
  return startStrictServer({
    authenticate: ({ headers }) =>
      headers.authorization === `Bearer ${cohereKey}`
        ? undefined
        : { status: 401, body: { id: "1", message: "invalid api token" } },
    refuse: ({ path, message }) => refused(`invalid request: ${path.join(".")}: ${message}`),
    routes: { "POST /v2/embed": strictRoute({ body, reply }) },
  });
}

function reply(given: z.output<typeof body>): FakeReply {
  const { version, native, widths } = models[given.model];
  const parts = partsOf(given);
  const fault = faultOf({ ...given, version });
  if (fault !== undefined) return refused(`invalid request: ${fault}`);
  const { output_dimension: wanted } = given;
  if (wanted !== undefined && !widths.some((one) => one === wanted))
    return refused("invalid request: output_dimension is not supported for this model");
  const long = parts.findIndex((one) => countWords(textsIn(one)) > contextTokens);
  if (long !== -1 && given.truncate === "NONE")
    return refused(`invalid request: text at index ${long} is too long: it has too many tokens`);
  const width = given.output_dimension ?? native;
  const vectors = parts.map((one) => unitVector(wordFor(given.input_type) + keyOf(one), { width, native }));
  const texts = parts.flatMap(textsIn);
  const images = parts.flatMap(imagesIn).length;
  return {
    body: {
      id: "e0",
      texts,
      embeddings: {
        ...(given.embedding_types.includes("float") ? { float: vectors } : {}),
        ...(given.embedding_types.includes("base64") ? { base64: vectors.map(base64Of) } : {}),
        ...integersOf(vectors, given.embedding_types),
      },
      response_type: "embeddings_by_type",
      meta: {
        api_version: { version: "2" },
        billed_units: {
          input_tokens: texts.length > 0 ? countWords(texts) : null,
          ...(images > 0 ? { images } : {}),
          ...(images > 0 && version === 4 ? { image_tokens: images * cohereImageTokens } : {}),
        },
      },
    },
  };
}

export const cohereImageTokens = 1610;

type CohereInputs = Pick<z.output<typeof body>, "texts" | "images" | "inputs">;

/** The parts of each input. */
export function partsOf({ texts = [], images = [], inputs = [] }: CohereInputs): FakePart[][] {
  const mixed = inputs.map(({ content }) =>
    content.map((part) => (part.type === "text" ? part.text : part.image_url.url)),
  );
  return [...texts, ...images].map((one): FakePart[] => [one]).concat(mixed);
}

/** One kind of inputs in a call. Version 3 takes one image, whose input type is `image`. */
export function faultOf(
  given: CohereInputs & { readonly input_type: string; readonly version: 3 | 4 },
): string | undefined {
  const { texts, images, inputs, input_type, version } = given;
  const kinds = [texts, images, inputs].filter((kind) => kind !== undefined);
  if (kinds.length !== 1) return "exactly one of texts, images and inputs must be provided";
  const count = kinds[0]?.length ?? 0;
  if (count > 96)
    return `total number of ${texts ? "texts" : "inputs"} must be at most 96 - received ${count}`;
  if (version === 4) return input_type === "image" && texts ? "input_type must not be image" : undefined;
  if (inputs !== undefined) return "inputs is not supported for this model";
  if ((images === undefined) !== (input_type !== "image")) return "input_type must be image for images alone";
  return (images?.length ?? 0) > 1 ? "total number of images must be at most 1" : undefined;
}

/** The vectors of each requested type. */
export function integersOf(vectors: readonly number[][], types: readonly string[]): object {
  const dtypes = (["int8", "uint8"] as const).filter((dtype) => types.includes(dtype));
  return Object.fromEntries(dtypes.map((dtype) => [dtype, vectors.map((one) => quantized(one, dtype))]));
}

/** Queries have other vectors than documents. */
export function wordFor(inputType: string): string {
  return inputType === "search_document" || inputType === "image" ? "" : inputType;
}

function refused(message: string): FakeReply {
  return { status: 400, body: { id: "e0", message } };
}
