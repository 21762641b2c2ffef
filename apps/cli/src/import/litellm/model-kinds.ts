import { type ModelType, modelTypes } from "@model-gateway/domain/operations";
import type { Provider } from "@model-gateway/providers/provider";
import type { JsonObject } from "@model-gateway/runtime/json";
import { withoutUndefined } from "@model-gateway/runtime/json";
import type { ImportReport } from "../import-report.js";
import { knownModel, typeOfName } from "../model-kinds.js";
import { readNumber, type ValuePlace } from "../values.js";
import type { EntryParameters } from "./cloud-upstreams.js";

/** Maps LiteLLM's description of one model type to the gateway's file. */
interface ImportedKind {
  /** LiteLLM's values of `mode`. */
  readonly modes: readonly string[];
  /** The settings of a model in `model_info`. */
  readonly readInfo: (info: JsonObject, place: ValuePlace) => JsonObject;
  /** The settings of a model in `litellm_params`. */
  readonly readModel: (source: ModelSource) => JsonObject;
  /** The settings of a target that only this type has. */
  readonly readTarget: (source: TargetSource) => JsonObject;
  /** Sentences above the model. */
  readonly remarks: (source: RemarkSource) => string[];
}

export interface ModelSource {
  readonly parameters: EntryParameters;
  /** The gateway's provider, and the model's name there. */
  readonly provider: Provider;
  readonly model: string;
  /** Settings of its upstream that change the model's traits. */
  readonly settings: JsonObject;
  readonly report: ImportReport;
}

interface TargetSource extends ModelSource {
  readonly info: JsonObject;
  /** The entry's path. */
  readonly path: string;
}

interface RemarkSource {
  readonly identity: string;
  readonly parameters: JsonObject;
  readonly facts: JsonObject;
  /** The gateway's provider. */
  readonly provider: string;
}

export const importedKinds: Readonly<Record<ModelType, ImportedKind>> = {
  embedding: {
    modes: ["embedding"],
    readInfo: readWidths,
    readModel: (source) => ({ ...readInputType(source), ...leaveOutWidth(source) }),
    readTarget: (source) => {
      const perMillionTokens = perMillion(source, "input_cost_per_token");
      return {
        ...readEncoding(source),
        price: perMillionTokens === undefined ? undefined : { perMillionTokens },
      };
    },
    remarks: ({ parameters: { dimensions }, facts }) =>
      dimensions === undefined || dimensions === null || dimensions === facts.dimensions
        ? []
        : [
            `LiteLLM sent dimensions: ${Number(dimensions)} with every request. Callers must send it themselves now, or they get vectors of the full width.`,
          ],
  },
  image: {
    modes: ["image_generation", "image_edit"],
    readInfo: () => ({}),
    readModel: () => ({}),
    readTarget: (source) => ({ price: imagePrice(source) }),
    // The gateway has profiles of OpenAI's models and of each provider. Other servers get the default.
    remarks: ({ identity, provider }) =>
      provider !== "openai-compatible" || /^(dall-e|gpt-image)/.test(identity)
        ? []
        : ["Its options are not known: compare the profile with what the upstream accepts."],
  },
};

/** A model's type by its entry's `mode`, or by its name. Undefined if the gateway does not serve it. */
export function typeOf(
  mode: unknown,
  { name, only }: { readonly name: string; readonly only: ModelType | undefined },
): ModelType | undefined {
  if (typeof mode === "string") return modelTypes.find((type) => importedKinds[type].modes.includes(mode));
  return typeOfName(name) ?? (/rerank/i.test(name) ? undefined : only);
}

/** The width and the length of inputs. LiteLLM has two names for the latter. */
function readWidths(info: JsonObject, { place, report }: ValuePlace): JsonObject {
  const read = (key: string, max: number) =>
    readNumber(info[key], { place: `${place}.${key}`, report, min: 1, max, isWhole: true });
  const most = Number.MAX_SAFE_INTEGER;
  return withoutUndefined({
    dimensions: read("output_vector_size", 65_536),
    maxTokens: read("max_input_tokens", most) ?? read("max_tokens", most),
  });
}

/** The input type of requests that name none, in LiteLLM's words for it or the provider's. */
function readInputType(source: ModelSource): JsonObject {
  const {
    parameters: { values, placeOf },
    provider,
    model,
    settings,
    report,
  } = source;
  const key = ["input_type", "task", "task_type"].find((one) => values[one] !== undefined);
  if (key === undefined) return {};
  const words = [...(provider.embeddings?.(knownModel(provider, model, settings)).inputTypes ?? [])];
  const inputType = words.find(([word, theirs]) => word === values[key] || theirs === values[key])?.[0];
  if (inputType === undefined)
    report.leaveOut(placeOf(key), {
      why: "The gateway has no such default for the provider; callers send input_type",
      page: "guides/embeddings-through-the-gateway.md",
    });
  else report.imported(placeOf(key));
  return withoutUndefined({ inputType });
}

/** The remark above the model says so as well. */
function leaveOutWidth({ parameters: { values, placeOf }, report }: ModelSource): JsonObject {
  if (values.dimensions !== undefined)
    report.leaveOut(placeOf("dimensions"), {
      why: "LiteLLM sent it with every request; callers send it themselves now",
      page: "guides/embeddings-through-the-gateway.md",
    });
  return {};
}

/** Only some providers leave the encoding to the configuration. */
function readEncoding({ parameters: { values, placeOf }, provider, model, report }: ModelSource): JsonObject {
  const { encoding_format: encoding } = values;
  const { targetKeys = [] } = provider.embeddings?.(knownModel(provider, model)) ?? {};
  if ((encoding !== "float" && encoding !== "base64") || !targetKeys.includes("encoding")) return {};
  report.imported(placeOf("encoding_format"));
  return { encoding };
}

/** LiteLLM prices a token; the gateway a million of them. */
function perMillion(source: TargetSource, key: string): number | undefined {
  const price = readPrice(source, key, 1);
  return price === undefined ? undefined : Number((price * 1_000_000).toPrecision(12));
}

/** A price of the entry's parameters, or else of its description. */
function readPrice(source: TargetSource, key: string, max: number): number | undefined {
  const { parameters, info, path, report } = source;
  const isParameter = parameters.values[key] !== undefined;
  const place = isParameter ? parameters.placeOf(key) : `${path}.model_info.${key}`;
  return readNumber(isParameter ? parameters.values[key] : info[key], { place, report, min: 0, max });
}

function imagePrice(source: TargetSource): object | undefined {
  const { parameters, info } = source;
  const isGiven = (key: string) => (parameters.values[key] ?? info[key]) !== undefined;
  const key = ["output_cost_per_image", "input_cost_per_image"].find(isGiven);
  const perImage = key === undefined ? undefined : readPrice(source, key, 1_000_000);
  // The gateway takes the prices of tokens in pairs.
  const isPriced = ["input_cost_per_token", "output_cost_per_token"].every(isGiven);
  const [input, output] = isPriced
    ? [perMillion(source, "input_cost_per_token"), perMillion(source, "output_cost_per_token")]
    : [];
  const tokens =
    input === undefined || output === undefined
      ? {}
      : { perMillionInputTokens: input, perMillionOutputTokens: output };
  const price = withoutUndefined({ perImage, ...tokens });
  return Object.keys(price).length === 0 ? undefined : price;
}
