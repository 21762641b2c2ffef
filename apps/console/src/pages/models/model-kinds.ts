import embeddingCurl from "@model-gateway/spec/samples/createEmbedding/curl.sh?raw";
import embeddingJavaScript from "@model-gateway/spec/samples/createEmbedding/javascript.mjs?raw";
import embeddingPython from "@model-gateway/spec/samples/createEmbedding/python.py?raw";
import imageCurl from "@model-gateway/spec/samples/createImage/curl.sh?raw";
import imageJavaScript from "@model-gateway/spec/samples/createImage/javascript.mjs?raw";
import imagePython from "@model-gateway/spec/samples/createImage/python.py?raw";
import type { ShownModel } from "../../operations/listModels.js";
import type { Schemas } from "../../operations/schemas.js";
import type { Fact } from "../../parts/facts.js";
import { formatBytes, formatCount } from "../../parts/format.js";

/** The console's view of one model type. */
interface ModelKind {
  /** The name of the type in the filter. */
  readonly name: string;
  /** The page that tries a model. */
  readonly playground: string;
  /** The model's facts, as pairs of a label and a value. */
  readonly facts: (model: ShownModel) => readonly Fact[];
  /** The samples of the reference, and the model that they name. */
  readonly samples: { readonly model: string; readonly texts: Readonly<Record<string, string>> };
}

/** A new type is an entry here, and a playground. */
export const modelKinds: Readonly<Record<ShownModel["type"], ModelKind>> = {
  embedding: {
    name: "Embeddings",
    playground: "/embeddings",
    facts: ({ embedding }) => (embedding ? describeEmbedding(embedding) : []),
    samples: {
      model: "gte-small",
      texts: { curl: embeddingCurl, JavaScript: embeddingJavaScript, Python: embeddingPython },
    },
  },
  image: {
    name: "Images",
    playground: "/images",
    facts: ({ image }) => (image ? describeImage(image) : []),
    samples: {
      model: "local-sketch",
      texts: { curl: imageCurl, JavaScript: imageJavaScript, Python: imagePython },
    },
  },
};

function describeEmbedding(embedding: Schemas["EmbeddingCapabilities"]) {
  const { dimensions, matryoshka, max_inputs, max_tokens, input_types, input_type_values } = embedding;
  const { input_images } = embedding;
  const width =
    dimensions === null ? "not declared" : `${formatCount(dimensions)}${matryoshka ? ", or fewer" : ""}`;
  return [
    ["Output", "vectors"],
    ["Width", width],
    ["Inputs", `up to ${formatCount(max_inputs)}, ${input_types.join(" or ")}`],
    ...(input_images === null ? [] : ([["Input images", describeInputImages(input_images)]] as const)),
    ...(max_tokens === null ? [] : ([["Input length", `up to ${formatCount(max_tokens)} tokens`]] as const)),
    ...(input_type_values.length > 0 ? ([["Input types", input_type_values.join(", ")]] as const) : []),
  ] as const;
}

function describeInputImages({ max_per_input, max_bytes, mixes_parts }: Schemas["InputImageLimits"]): string {
  const count = mixes_parts ? `up to ${max_per_input} with text` : "one without text";
  return `${count}, each up to ${formatBytes(max_bytes)}`;
}

function describeImage(image: Schemas["ImageCapabilities"]) {
  const edits = image.edits
    ? ["yes", image.mask && "with a mask", image.max_images > 1 && `up to ${image.max_images} images`]
    : ["no"];
  return [
    ["Output", "images"],
    ["Sizes", image.sizes.join(", ").replace("WIDTHxHEIGHT", "any")],
    ...(image.qualities.length > 1 ? ([["Qualities", image.qualities.join(", ")]] as const) : []),
    ["Formats", image.output_formats.join(", ")],
    ["At once", `up to ${image.max_n}`],
    ["Edits", edits.filter(Boolean).join(", ")],
    ["Streams", image.streaming ? "yes" : "no"],
  ] as const;
}
