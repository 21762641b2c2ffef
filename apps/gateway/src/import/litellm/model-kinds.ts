import { withoutUndefined } from "../../domain/json.js";
import { type ModelType, modelTypes } from "../../operations.js";
import type { ImportReport } from "../import-report.js";
import { readNumber, type ValuePlace } from "./values.js";

type Settings = Readonly<Record<string, unknown>>;

/** Maps LiteLLM's description of one model type to the gateway's file. */
export interface ImportedKind {
  /** LiteLLM's values of `mode`. */
  readonly modes: readonly string[];
  /** The names of models without a mode. */
  readonly names: RegExp;
  /** Settings that LiteLLM looks up in its own model list. */
  readonly facts: (identity: string) => Settings;
  /** The settings of a model in `model_info`. */
  readonly readInfo: (info: Settings, place: ValuePlace) => Settings;
  /** The settings of a target that only this type has. */
  readonly readTarget: (source: TargetSource) => Settings;
  /** Sentences above the model. */
  readonly remarks: (source: RemarkSource) => string[];
  /** Whether its results can be cached, and its targets share a vector space. */
  readonly hasVectors: boolean;
}

export interface TargetSource {
  readonly parameters: Settings;
  readonly info: Settings;
  readonly place: string;
  readonly report: ImportReport;
}

export interface RemarkSource {
  readonly identity: string;
  readonly parameters: Settings;
  readonly facts: Settings;
}

export const importedKinds: Readonly<Record<ModelType, ImportedKind>> = {
  embedding: {
    modes: ["embedding"],
    names: /embed|\b(bge|e5|gte|minilm|voyage|nomic|ada-002)\b|\/(bge|e5|gte)-/i,
    facts: (identity) => embeddingFacts[identity] ?? {},
    readInfo: readWidths,
    readTarget: (source) => {
      const { encoding_format: encoding } = source.parameters;
      const perMillionTokens = perMillion(source, "input_cost_per_token");
      return {
        ...(encoding === "float" || encoding === "base64" ? { encoding } : {}),
        price: perMillionTokens === undefined ? undefined : { perMillionTokens },
      };
    },
    remarks: ({ parameters: { dimensions }, facts }) =>
      dimensions === undefined || dimensions === null || dimensions === facts.dimensions
        ? []
        : [
            `LiteLLM sent dimensions: ${Number(dimensions)} with every request. Callers must send it themselves now, or they get vectors of the full width.`,
          ],
    hasVectors: true,
  },
  image: {
    modes: ["image_generation", "image_edit"],
    names: /dall-e|gpt-image|flux|imagen|stable-diffusion|sdxl|seedream|qwen-image|recraft|ideogram/i,
    facts: (identity) => (identity.startsWith("dall-e") ? { profile: "dall-e" } : {}),
    readInfo: () => ({}),
    readTarget: (source) => ({ price: imagePrice(source) }),
    // The gateway has profiles of these models. Others get the default.
    remarks: ({ identity }) =>
      /^(dall-e|gpt-image)/.test(identity)
        ? []
        : ["Its options are not known: compare the profile with what the upstream accepts."],
    hasVectors: false,
  },
};

/** A model's type by its entry's `mode`, or by its name. Undefined if the gateway does not serve it. */
export function typeOf(mode: unknown, name: string): ModelType | undefined {
  const isMode = typeof mode === "string";
  return modelTypes.find((type) =>
    isMode ? importedKinds[type].modes.includes(mode) : importedKinds[type].names.test(name),
  );
}

/** OpenAI's own embedding models. Their clients send token ids, and may request fewer dimensions. */
const embeddingFacts: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "text-embedding-3-small": { dimensions: 1536, matryoshka: true, tokenizer: "cl100k_base" },
  "text-embedding-3-large": { dimensions: 3072, matryoshka: true, tokenizer: "cl100k_base" },
  "text-embedding-ada-002": { dimensions: 1536, tokenizer: "cl100k_base" },
};

function readWidths(info: Settings, { place, report }: ValuePlace) {
  const read = (key: string, max: number) =>
    readNumber(info[key], { place: `${place}.${key}`, report, min: 1, max, isWhole: true });
  return withoutUndefined({
    dimensions: read("output_vector_size", 65_536),
    maxTokens: read("max_input_tokens", Number.MAX_SAFE_INTEGER),
  });
}

/** LiteLLM prices a token; the gateway a million of them. */
function perMillion(source: TargetSource, key: string): number | undefined {
  const { parameters, info, place, report } = source;
  const bounds = { place: `${place}.${key}`, report, min: 0, max: 1 };
  const price = readNumber(parameters[key] ?? info[key], bounds);
  return price === undefined ? undefined : Number((price * 1_000_000).toPrecision(12));
}

function imagePrice(source: TargetSource): object | undefined {
  const { parameters, info, place, report } = source;
  const key = ["output_cost_per_image", "input_cost_per_image"].find(
    (name) => (parameters[name] ?? info[name]) !== undefined,
  );
  const bounds = { place: `${place}.${key}`, report, min: 0, max: 1_000_000 };
  const perImage = key === undefined ? undefined : readNumber(parameters[key] ?? info[key], bounds);
  const [input, output] = [
    perMillion(source, "input_cost_per_token"),
    perMillion(source, "output_cost_per_token"),
  ];
  // The gateway takes the prices of tokens in pairs.
  const tokens =
    input === undefined || output === undefined
      ? {}
      : { perMillionInputTokens: input, perMillionOutputTokens: output };
  const price = withoutUndefined({ perImage, ...tokens });
  return Object.keys(price).length === 0 ? undefined : price;
}
