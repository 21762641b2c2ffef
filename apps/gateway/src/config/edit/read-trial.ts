import { dirname } from "node:path";
import { parseDocument } from "yaml";
import { isObject, objectAt } from "../../domain/json.js";
import type { Model, Upstream } from "../../domain/model.js";
import { errorOf } from "../../errors.js";
import { kindOf } from "../../models/kinds/kinds.js";
import type { ModelType } from "../../operations.js";
import { findProvider } from "../../providers/registry.js";
import { isSecretKey } from "../../secrets/find-secrets.js";
import { secretsFolderOf } from "../data-dir.js";
import { type ConfigSource, type FoundFile, findFile } from "../files/find-file.js";
import { checkFile, describePath } from "../load-config.js";
import { overrides } from "../overrides.js";
import { explained } from "./explain-faults.js";
import { settleEntry } from "./settle-entry.js";

type Entry = Readonly<Record<string, unknown>>;

/** Makes a secret known to the filter of everything that leaves the gateway. */
export type LearnSecret = (secret: string) => void;

export interface SecretSource {
  readonly source: ConfigSource;
  /** Called before anything can quote the secret. */
  readonly learn: LearnSecret;
}

export interface TrialRequest {
  /** The entry of an upstream, as a change takes it. */
  readonly upstream: Entry;
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
  return explained(() => {
    const file = findFile(source);
    const pending = new Map<string, string>();
    const entry = settleEntry(withSecretsOf(request, file), {
      path: "upstream",
      present: presentOf(request, file),
      store: (secret) => {
        const name = `MODEL_GATEWAY_TRIAL_${pending.size + 1}`;
        learn(secret);
        pending.set(name, secret);
        return name;
      },
    });
    const targets = [{ upstream: trialName, model: model?.name }];
    const text = JSON.stringify({
      dataDir: dirname(secretsFolderOf(file, source.environment)),
      upstreams: { [trialName]: entry },
      models:
        model === undefined ? {} : { [model.name]: { type: model.type, targets, ...inputTypeOf(request) } },
    });
    const checked = checkFile(
      { name: "the trial", text, directory: file.directory, place: file.place, versions: new Map() },
      { ...source, environment: withoutOverrides(source.environment) },
      pending,
    );
    const upstream = checked.upstreams.get(trialName);
    if (upstream === undefined) throw new Error("The upstream of a trial was not resolved.");
    for (const secret of checked.secrets) learn(secret);
    return { upstream, model: model && checked.models.get(model.name) };
  }, paramOf);
}

/** Some providers need an input type. Documents are what is embedded most. */
function inputTypeOf({ upstream, model }: TrialRequest): { readonly inputType?: string } {
  const provider = findProvider(String(upstream.provider));
  const traits = model && provider?.[kindOf(model).trait]?.(model.name);
  const isRequired = traits !== undefined && "requiresInputType" in traits && traits.requiresInputType;
  return isRequired === true ? { inputType: "document" } : {};
}

/** The upstream of the file with the same provider, without a part of it read from the environment. */
function presentOf({ upstream, name }: TrialRequest, { text }: FoundFile): Entry | undefined {
  if (name === undefined) return undefined;
  const present = objectAt(parseDocument(text).toJS(), "upstreams")[name];
  if (!isObject(present))
    throw errorOf("invalid_value", { param: "name", reason: "the configuration has no such upstream" });
  return present.provider === upstream.provider ? present : undefined;
}

function withSecretsOf(request: TrialRequest, file: FoundFile): Entry {
  const present = presentOf(request, file) ?? {};
  const omitted = Object.entries(present).filter(
    ([key]) => isSecretKey(key) && !Object.hasOwn(request.upstream, key),
  );
  return { ...request.upstream, ...Object.fromEntries(omitted) };
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
