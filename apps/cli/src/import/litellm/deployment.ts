import type { ModelType } from "@model-gateway/domain/operations";
import { providerOf } from "@model-gateway/providers/registry";
import { isObject, objectAt, withoutUndefined } from "@model-gateway/runtime/json";
import { expandPattern } from "../expand-pattern.js";
import type { ImportReport } from "../import-report.js";
import { sourceKinds } from "../model-kinds.js";
import { readNumber } from "../values.js";
import { literal } from "../write-gateway-file.js";
import type { EntryParameters } from "./cloud-upstreams.js";
import { importedKinds, type ModelSource, typeOf } from "./model-kinds.js";
import { importedProviders, type LitellmProvider, splitModel } from "./providers.js";
import { refuseEntry } from "./refuse-entry.js";

/** An entry of `model_list` that the gateway can serve. */
export interface Deployment {
  readonly modelName: string;
  readonly type: ModelType;
  /** The model itself, under any upstream's name. Vectors of different identities cannot be compared. */
  readonly identity: string;
  /** LiteLLM's name of the provider. */
  readonly providerName: string;
  readonly provider: LitellmProvider;
  readonly parameters: EntryParameters;
  /** Its path in the source, and the text after it in a report. */
  readonly path: string;
  readonly title: string;
  readonly model: Readonly<Record<string, unknown>>;
  /** The model's name at the provider. */
  readonly name: string;
  readonly target: Readonly<Record<string, unknown>>;
  /** Sentences above the model. */
  readonly remarks: readonly string[];
}

/** A credential of `credential_list`, and its path. */
export interface Credential {
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
}

interface DeploymentSource {
  readonly report: ImportReport;
  readonly credentials: ReadonlyMap<string, Credential>;
}

/**
 * Reads one entry of `model_list`: one deployment, or those that a pattern stands for. An unsupported entry is reported
 * and gives none.
 */
export function readDeployments(entry: unknown, index: number, source: DeploymentSource): Deployment[] {
  const { report } = source;
  const path = `model_list[${index}]`;
  const { model_name: modelName } = isObject(entry) ? entry : {};
  const parameters = parametersOf(entry, path, source);
  const { model, custom_llm_provider: named } = parameters.values;
  if (typeof modelName !== "string" || modelName === "" || typeof model !== "string" || model === "") {
    report.leaveOut(path, "It needs model_name and litellm_params.model");
    return [];
  }
  const info = objectAt(entry, "model_info");
  const split = splitModel(literal(model), typeof named === "string" ? named : undefined);
  const provider = importedProviders[split.provider];
  const identity = identityOf(info.base_model, split.name);
  const mode = info.mode ?? parameters.values.mode;
  const type = typeOf(mode, { name: `${modelName} ${identity}`, only: provider?.only });
  const title = `"${modelName}" (${model})`;
  const refusal = refuseEntry({
    mode,
    type,
    provider,
    providerName: split.provider,
    name: split.name,
    parameters,
  });
  if (refusal !== undefined || provider === undefined) {
    report.leaveOut(path, { ...refusal, why: refusal?.why ?? "", title });
    return [];
  }
  const patternPath = parameters.placeOf("model");
  const pattern = {
    modelName: literal(modelName),
    name: split.name,
    type,
    provider,
    path,
    patternPath,
    title,
    report,
  };
  const read = { entry, info, path, title, parameters, provider, providerName: split.provider, report };
  return expandPattern(pattern).map((one) =>
    readOne({ ...read, ...one, identity: one.name === split.name ? identity : one.name }),
  );
}

/** `azure/text-embedding-3-small` and its deployment `search-eu` are the same model. */
function identityOf(baseModel: unknown, name: string): string {
  if (typeof baseModel !== "string" || baseModel === "") return name;
  const { provider, name: base } = splitModel(literal(baseModel), undefined);
  return provider in importedProviders ? base : literal(baseModel);
}

/** The parameters of an entry. Its own ones count more than those of its credential. */
function parametersOf(
  entry: unknown,
  path: string,
  { credentials, report }: DeploymentSource,
): EntryParameters {
  const values = objectAt(entry, "litellm_params");
  const { litellm_credential_name: name } = values;
  const credential = credentials.get(String(name));
  const ownPlace = (key: string) => `${path}.litellm_params.${key}`;
  if (name === undefined) return { values, placeOf: ownPlace };
  if (credential === undefined) {
    report.leaveOut(ownPlace("litellm_credential_name"), "credential_list has no credential of this name");
    return { values, placeOf: ownPlace };
  }
  report.imported(ownPlace("litellm_credential_name"), `${credential.path}.credential_name`);
  return {
    values: { ...credential.values, ...values },
    placeOf: (key) => (key in values ? ownPlace(key) : `${credential.path}.credential_values.${key}`),
  };
}

interface EntryPart {
  readonly entry: unknown;
  readonly info: Readonly<Record<string, unknown>>;
  readonly path: string;
  readonly title: string;
  readonly parameters: EntryParameters;
  readonly provider: LitellmProvider;
  readonly providerName: string;
  readonly report: ImportReport;
  readonly modelName: string;
  readonly name: string;
  readonly identity: string;
  readonly type: ModelType;
}

function readOne(part: EntryPart): Deployment {
  const { info, path, parameters, provider, report, identity, type } = part;
  const { placeOf } = parameters;
  report.imported(`${path}.model_name`, placeOf("model"), placeOf("custom_llm_provider"), placeOf("mode"));
  report.imported(`${path}.model_info.mode`, `${path}.model_info.base_model`);
  const { name, values } = provider.prepare?.(part.name, { identity, values: parameters.values }) ?? {
    name: provider.nameOf?.(part.name) ?? part.name,
    values: parameters.values,
  };
  const kind = importedKinds[type];
  const known = identity === part.name ? name : identity;
  const gateway = providerOf(provider.provider);
  const facts = sourceKinds[type].fit(
    { ...sourceKinds[type].facts(known), ...kind.readInfo(info, { place: `${path}.model_info`, report }) },
    gateway,
    name,
  );
  const settings = withoutUndefined({ preset: provider.preset });
  const source = { parameters, provider: gateway, model: name, settings, report };
  return {
    ...part,
    identity: known,
    name,
    parameters: { values, placeOf },
    model: { ...facts, ...provider.models?.[type], ...kind.readModel(source) },
    target: readTarget(part, source),
    remarks: [
      ...kind.remarks({ identity: known, parameters: values, facts, provider: provider.provider }),
      ...[provider.remark?.(values)].filter((remark) => remark !== undefined),
    ],
  };
}

/** The settings of a target: its share, its limits, its price. */
function readTarget(
  { type, parameters, entry, info, path, report, provider }: EntryPart,
  source: ModelSource,
): Readonly<Record<string, unknown>> {
  const { values, placeOf } = parameters;
  const outer = isObject(entry) ? entry : {};
  const read = (key: string, bounds: { min: number; max: number; isWhole?: true }) => {
    const place = values[key] === undefined ? `${path}.${key}` : placeOf(key);
    return readNumber(values[key] ?? outer[key], { ...bounds, place, report });
  };
  const whole = { min: 1, max: Number.MAX_SAFE_INTEGER, isWhole: true } as const;
  return withoutUndefined({
    ...provider.targets?.[type],
    weight: read("weight", { min: 0.000_001, max: 1_000_000_000 }),
    tier: read("order", whole),
    requestsPerMinute: read("rpm", whole),
    tokensPerMinute: read("tpm", whole),
    maxConcurrency: read("max_parallel_requests", { ...whole, max: 100_000 }),
    ...importedKinds[type].readTarget({ ...source, info, path }),
  });
}
