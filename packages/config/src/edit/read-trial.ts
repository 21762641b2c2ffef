import { dirname } from "node:path";
import type { Catalogue } from "@model-gateway/catalogue/catalogue";
import { openCatalogue } from "@model-gateway/catalogue/open-catalogue";
import { errorOf } from "@model-gateway/domain/errors";
import type { Model, Upstream } from "@model-gateway/domain/model";
import type { ModelType } from "@model-gateway/domain/operations";
import { findProvider } from "@model-gateway/providers/registry";
import type { JsonObject } from "@model-gateway/runtime/json";
import { objectAt } from "@model-gateway/runtime/json";
import { parseDocument } from "yaml";
import type { Config } from "../config.js";
import { ConfigError } from "../config-error.js";
import { secretsFolderOf } from "../data-dir.js";
import { type ConfigSource, type FoundFile, findFile } from "../files/find-file.js";
import { variablesIn } from "../files/read-yaml.js";
import { kindOf } from "../kinds/kinds.js";
import { checkFile, describePath } from "../load-config.js";
import { modelAt } from "../models/model-at.js";
import { overrides } from "../overrides.js";
import { isSecretKey } from "../secrets/find-secrets.js";
import { hideUnder } from "../without-secrets.js";
import { checkTrial } from "./check-trial.js";
import { explained } from "./explain-faults.js";
import { settleEntry } from "./settle-entry.js";

/** Makes a secret known to the filter of everything that leaves the gateway. */
export type LearnSecret = (secret: string) => void;

export interface SecretSource {
  readonly source: ConfigSource;
  /** Called before anything can quote the secret. */
  readonly learn: LearnSecret;
}

export interface TrialRequest {
  /** The entry of an upstream, as a change takes it. */
  readonly upstream: JsonObject;
  /** An upstream of the file whose secrets are used where the entry has none. */
  readonly name: string | undefined;
  readonly model: { readonly type: ModelType; readonly name: string } | undefined;
}

/** An upstream that can be opened, and a model of it. */
export interface Trial {
  readonly upstream: Upstream;
  readonly model: Model | undefined;
}

/** The name of the upstream in the file that is checked. */
const trialName = "upstream";

/** Checks an upstream that need not be in the file. Throws a `GatewayError` that names the faults. */
export function readTrial(request: TrialRequest, { source, learn }: SecretSource): Trial {
  const { model } = request;
  if (model?.name.includes("*") === true)
    throw errorOf("invalid_value", {
      param: "model.name",
      reason: "it is the name of one model, without a *",
    });
  if (variablesIn(model?.name ?? "").length > 0)
    throw errorOf("invalid_value", { param: "model.name", reason: "a trial reads no variable for it" });
  return explained(() => {
    const file = findFile(source);
    const pending = new Map<string, string>();
    const present = presentOf(request, file);
    const entry = settleEntry(withSecretsOf(request.upstream, present), {
      path: "upstream",
      present,
      store: (secret) => {
        const name = `MODEL_GATEWAY_TRIAL_${pending.size + 1}`;
        learn(secret);
        pending.set(name, secret);
        return name;
      },
    });
    const { catalogue } = openCatalogue(dataDirFor(file, source));
    const targets = [{ upstream: trialName, model: model?.name }];
    const resolve = (upstream: JsonObject, models = {}) =>
      resolveAlone({ upstream, models }, { file, source, pending });
    checkTrial({
      entry,
      present,
      typed: new Set(pending.keys()),
      originOf: (one) => originOf(() => resolve(one)),
    });
    const checked = resolve(
      entry,
      model && { [model.name]: { type: model.type, targets, ...inputTypeOf(request, catalogue) } },
    );
    const upstream = checked.upstreams.get(trialName);
    if (upstream === undefined) throw new Error("The upstream of a trial was not resolved.");
    for (const secret of checked.secrets) learn(secret);
    return { upstream, model: model && checked.models.get(model.name) };
  }, paramOf);
}

interface TrialPlace {
  readonly file: FoundFile;
  readonly source: ConfigSource;
  readonly pending: ReadonlyMap<string, string>;
}

/** A configuration with this upstream and these models alone, in the place of the file. */
function resolveAlone(
  { upstream, models }: { readonly upstream: JsonObject; readonly models: object },
  { file, source, pending }: TrialPlace,
): Config {
  const text = JSON.stringify({
    dataDir: dataDirFor(file, source),
    upstreams: { [trialName]: upstream },
    models,
  });
  return checkFile(
    { name: "the trial", text, directory: file.directory, place: file.place, versions: new Map() },
    { ...source, environment: withoutOverrides(source.environment) },
    { pending, isRemote: true },
  );
}

function dataDirFor(file: FoundFile, { environment }: ConfigSource): string {
  return dirname(secretsFolderOf(file, environment));
}

/** Undefined for an upstream without an address, and for one with a fault. */
function originOf(resolve: () => Config): string | undefined {
  try {
    const { baseUrl } = resolve().upstreams.get(trialName) ?? {};
    return baseUrl === undefined ? undefined : new URL(baseUrl).origin;
  } catch (failure) {
    if (failure instanceof ConfigError) return undefined;
    throw failure;
  }
}

/** Some models need an input type. Documents are what is embedded most. */
function inputTypeOf(
  { upstream, model }: TrialRequest,
  catalogue: Catalogue,
): { readonly inputType?: string } {
  const provider = findProvider(String(upstream.provider));
  const name = model?.name ?? "";
  const traits =
    model &&
    provider?.[kindOf(model).trait]?.(
      modelAt(provider, { name, type: model.type, settings: upstream }, catalogue),
    );
  const isRequired = traits !== undefined && "requiresInputType" in traits && traits.requiresInputType;
  return isRequired === true ? { inputType: "document" } : {};
}

/** The upstream of the file with the same provider, without a part of it read from the environment. */
function presentOf({ upstream, name }: TrialRequest, { text }: FoundFile): JsonObject | undefined {
  if (name === undefined) return undefined;
  const present = objectAt(objectAt(parseDocument(text).toJS(), "upstreams"), name);
  if (Object.keys(present).length === 0)
    throw errorOf("invalid_value", { param: "name", reason: "the configuration has no such upstream" });
  return present.provider === upstream.provider ? present : undefined;
}

function withSecretsOf(upstream: JsonObject, present: JsonObject = {}): JsonObject {
  const omitted = Object.keys(present).filter((key) => isSecretKey(key) && !Object.hasOwn(upstream, key));
  // As if they had been sent back as they were shown.
  return { ...upstream, ...Object.fromEntries(omitted.map((key) => [key, hideUnder(key, present[key])])) };
}

/** A trial ignores the settings of the process. */
function withoutOverrides(environment: ConfigSource["environment"]): ConfigSource["environment"] {
  const names = Object.keys(overrides).flatMap((name) => [name, `${name}_FILE`]);
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !names.includes(name)));
}

function paramOf([section, , ...rest]: readonly PropertyKey[]): string {
  if (section === "upstreams") return describePath([trialName, ...rest]);
  return section === "models" ? "model" : "";
}
