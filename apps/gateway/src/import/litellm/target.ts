import { isObject } from "../../domain/json.js";
import type { ImportReport } from "../import-report.js";
import type { ModelType } from "../write-gateway-file.js";
import type { CarriedProvider } from "./providers.js";
import { present, readNumber } from "./values.js";

export interface TargetSource {
  readonly type: ModelType;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly entry: unknown;
  readonly info: Readonly<Record<string, unknown>>;
  readonly place: string;
  readonly report: ImportReport;
  readonly provider: CarriedProvider;
}

/** The settings of a target: its share, its limits, its price. */
export function readTarget(source: TargetSource): Readonly<Record<string, unknown>> {
  const { type, parameters, entry, place, report, provider } = source;
  const outer = isObject(entry) ? entry : {};
  const read = (key: string, bounds: { min: number; max: number; isWhole?: true }) =>
    readNumber(parameters[key] ?? outer[key], { ...bounds, place: `${place}.${key}`, report });
  const whole = { min: 1, max: Number.MAX_SAFE_INTEGER, isWhole: true } as const;
  const encoding = parameters.encoding_format;
  return present({
    ...(type === "embedding" ? provider.embeddingTarget : {}),
    weight: read("weight", { min: Number.MIN_VALUE, max: Number.MAX_SAFE_INTEGER }),
    tier: read("order", whole),
    requestsPerMinute: read("rpm", whole),
    tokensPerMinute: read("tpm", whole),
    maxConcurrency: read("max_parallel_requests", { ...whole, max: 100_000 }),
    ...(type === "embedding" && (encoding === "float" || encoding === "base64") ? { encoding } : {}),
    price: type === "embedding" ? embeddingPrice(source) : imagePrice(source),
  });
}

/** LiteLLM prices a token; the gateway a million of them. */
function perMillion(source: TargetSource, key: string): number | undefined {
  const { parameters, info, place, report } = source;
  const bounds = { place: `${place}.${key}`, report, min: 0, max: 1 };
  const price = readNumber(parameters[key] ?? info[key], bounds);
  return price === undefined ? undefined : Number((price * 1_000_000).toPrecision(12));
}

function embeddingPrice(source: TargetSource): object | undefined {
  const perMillionTokens = perMillion(source, "input_cost_per_token");
  return perMillionTokens === undefined ? undefined : { perMillionTokens };
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
  const price = present({ perImage, ...tokens });
  return Object.keys(price).length === 0 ? undefined : price;
}
