import { isObject, objectAt, withoutUndefined } from "../../domain/json.js";
import type { ModelType } from "../../operations.js";
import type { ImportReport } from "../import-report.js";
import { literal } from "../write-gateway-file.js";
import { importedKinds, type TargetSource, typeOf } from "./model-kinds.js";
import { type CarriedProvider, carriedProviders, splitModel } from "./providers.js";
import { readNumber } from "./values.js";

/** An entry of `model_list` that the gateway can serve. */
export interface Deployment {
  readonly modelName: string;
  readonly type: ModelType;
  /** The model itself, under any upstream's name. Vectors of different identities cannot be compared. */
  readonly identity: string;
  /** LiteLLM's name of the provider. */
  readonly providerName: string;
  readonly provider: CarriedProvider;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The path of `parameters` in the source. */
  readonly place: string;
  readonly model: Readonly<Record<string, unknown>>;
  /** The model's name at the provider. */
  readonly name: string;
  readonly target: Readonly<Record<string, unknown>>;
  /** Sentences above the model. */
  readonly remarks: readonly string[];
}

export interface DeploymentSource {
  readonly report: ImportReport;
  /** The values of `credential_list`, by name. */
  readonly credentials: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

const onlyThese = "The gateway serves embedding and image models only";
const noMode =
  "By their names these are chat models, which the gateway does not serve; if one makes vectors or images, set model_info.mode and import again";

/** Reads one entry of `model_list`. An unsupported entry is reported and gives undefined. */
export function readDeployment(
  entry: unknown,
  index: number,
  { report, credentials }: DeploymentSource,
): Deployment | undefined {
  const path = `model_list[${index}]`;
  const own = objectAt(entry, "litellm_params");
  const parameters = { ...credentials.get(String(own.litellm_credential_name)), ...own };
  const info = objectAt(entry, "model_info");
  const modelName = isObject(entry) ? entry.model_name : undefined;
  const { model } = parameters;
  if (typeof modelName !== "string" || modelName === "" || typeof model !== "string" || model === "")
    return report.leaveOut(path, "It needs model_name and litellm_params.model");
  const named = parameters.custom_llm_provider;
  const { provider: providerName, name } = splitModel(
    literal(model),
    typeof named === "string" ? named : undefined,
  );
  const identity = identityOf(info.base_model, name);
  const mode = info.mode ?? parameters.mode;
  const type = typeOf(mode, `${modelName} ${identity}`);
  const title = `${path} "${modelName}"`;
  const provider = carriedProviders[providerName];
  const refusal = refuse({ modelName, name, mode, type, provider, providerName });
  if (refusal !== undefined || type === undefined || provider === undefined)
    return report.leaveOut(`${title} (${model})`, refusal ?? onlyThese);
  reportUnused({ path, parameters: own, info, provider, report });
  const kind = importedKinds[type];
  const facts = kind.facts(identity);
  const place = `${path}.litellm_params`;
  return {
    modelName: literal(modelName),
    type,
    identity,
    providerName,
    provider,
    parameters,
    place,
    model: { ...facts, ...kind.readInfo(info, { place: `${path}.model_info`, report }) },
    name,
    target: readTarget({ type, parameters, entry, info, place, report, provider }),
    remarks: kind.remarks({ identity, parameters, facts }),
  };
}

/** `azure/text-embedding-3-small` and its deployment `search-eu` are the same model. */
function identityOf(baseModel: unknown, name: string): string {
  if (typeof baseModel !== "string" || baseModel === "") return name;
  const { provider, name: base } = splitModel(literal(baseModel), undefined);
  return provider in carriedProviders ? base : literal(baseModel);
}

interface TypedTargetSource extends TargetSource {
  readonly type: ModelType;
  readonly entry: unknown;
  readonly provider: CarriedProvider;
}

/** The settings of a target: its share, its limits, its price. */
function readTarget(source: TypedTargetSource): Readonly<Record<string, unknown>> {
  const { type, parameters, entry, place, report, provider } = source;
  const outer = isObject(entry) ? entry : {};
  const read = (key: string, bounds: { min: number; max: number; isWhole?: true }) =>
    readNumber(parameters[key] ?? outer[key], { ...bounds, place: `${place}.${key}`, report });
  const whole = { min: 1, max: Number.MAX_SAFE_INTEGER, isWhole: true } as const;
  return withoutUndefined({
    ...provider.targets?.[type],
    weight: read("weight", { min: Number.MIN_VALUE, max: Number.MAX_SAFE_INTEGER }),
    tier: read("order", whole),
    requestsPerMinute: read("rpm", whole),
    tokensPerMinute: read("tpm", whole),
    maxConcurrency: read("max_parallel_requests", { ...whole, max: 100_000 }),
    ...importedKinds[type].readTarget(source),
  });
}

interface Refusable {
  readonly modelName: string;
  readonly name: string;
  readonly mode: unknown;
  readonly type: ModelType | undefined;
  readonly provider: CarriedProvider | undefined;
  readonly providerName: string;
}

function refuse({ modelName, name, mode, type, provider, providerName }: Refusable): string | undefined {
  if (modelName.includes("*") || name.includes("*"))
    return "A name with * stands for many models; list those that you use";
  if (type === undefined) return mode === undefined || mode === null ? noMode : onlyThese;
  if (provider === undefined) return `The gateway has no provider for ${providerName}`;
  return provider.types === undefined || provider.types.includes(type)
    ? undefined
    : `The gateway cannot serve ${type} models of ${providerName}`;
}

const carriedParameters = new Set(
  [
    ["model", "custom_llm_provider", "litellm_credential_name", "mode", "api_base", "base_url", "api_key"],
    ["organization", "timeout", "rpm", "tpm", "weight", "order", "max_parallel_requests", "encoding_format"],
    ["input_cost_per_token", "output_cost_per_token", "input_cost_per_image", "output_cost_per_image"],
    // Said in a remark above the model.
    ["dimensions"],
  ].flat(),
);

/** The rest of `model_info` describes; these keys change LiteLLM's behaviour. */
const actingInfo = ["access_groups", "team_id", "team_public_model_name", "health_check_model", "tags"];

interface Unused {
  readonly path: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly info: Readonly<Record<string, unknown>>;
  readonly provider: CarriedProvider;
  readonly report: ImportReport;
}

function reportUnused({ path, parameters, info, provider, report }: Unused): void {
  for (const key of Object.keys(parameters)) {
    if (carriedParameters.has(key) || provider.unneeded?.includes(key)) continue;
    report.leaveOut(`${path}.litellm_params.${key}`, "The gateway has no such setting for one model");
  }
  for (const key of actingInfo)
    if (info[key] !== undefined)
      report.leaveOut(`${path}.model_info.${key}`, "The models of a key are set at the key");
}
