import type { ConfigurationEntries } from "../../operations/changeConfiguration.js";
import type { Schemas } from "../../operations/schemas.js";
import {
  faultName,
  type ModelChoices,
  type OfferedModel,
  offerModels,
  typeFault,
  writeModels,
} from "./model-choices.js";
import { isPrice, priceFault } from "./model-price.js";
import { applyPreset } from "./presets.js";
import { readSchema, type Setting, type SettingSchema } from "./setting-schema.js";
import { findFaults, readEntry, type TypedSettings, writeSettings } from "./typed-settings.js";
import type { Faults } from "./use-faults.js";

/** The fields and ticks so far. */
export interface UpstreamDraft {
  /** Absent until it is typed. */
  readonly name?: string;
  readonly typed: TypedSettings;
  readonly choices: ModelChoices;
}

/** A draft with what the gateway knows about it. */
export interface UpstreamForm {
  readonly provider: Schemas["Provider"];
  readonly settings: readonly Setting[];
  readonly name: string;
  readonly typed: TypedSettings;
  readonly offered: readonly OfferedModel[];
}

interface FormSources {
  readonly provider: Schemas["Provider"];
  readonly configuration: Pick<Schemas["Configuration"], "upstreams" | "models">;
  /** The upstream to change; undefined for a new one. */
  readonly changed: string | undefined;
  readonly draft: UpstreamDraft | undefined;
  /** Chosen before the form, in a new one. */
  readonly preset: string | undefined;
  readonly listed: readonly string[] | null | undefined;
}

export function fillForm(sources: FormSources): UpstreamForm {
  const { provider, configuration, changed, draft, preset, listed } = sources;
  const secrets = new Set(provider.secret_settings);
  const settings = readSchema(provider.settings as SettingSchema, { secrets });
  const name = changed ?? draft?.name ?? freeName(preset ?? provider.id, configuration.upstreams);
  const entry = changed === undefined ? { preset } : (configuration.upstreams[changed] ?? {});
  const typed = draft?.typed ?? readEntry(settings, entry);
  return {
    provider,
    settings: applyPreset(settings, { presets: provider.presets, typed }),
    name,
    typed,
    offered: offerModels({
      provider,
      upstream: name,
      listed,
      choices: draft?.choices ?? {},
      takenIds: new Set(Object.keys(configuration.models)),
    }),
  };
}

/** The provider's id, with a number if an upstream has it already. */
export function freeName(id: string, taken: Readonly<Record<string, unknown>>): string {
  let name = id;
  for (let number = 2; taken[name] !== undefined; number += 1) name = `${id}-${number}`;
  return name;
}

/** The upstream as a trial and a change take it. */
export function upstreamEntry({ provider, settings, typed }: UpstreamForm): Record<string, unknown> {
  return { provider: provider.id, ...writeSettings(settings, typed) };
}

export function entriesOf(form: UpstreamForm): ConfigurationEntries {
  const { name, offered, provider } = form;
  const models = writeModels(offered, { provider, upstream: name });
  return {
    upstreams: { [name]: upstreamEntry(form) },
    ...(Object.keys(models).length > 0 && { models }),
  };
}

/** The faults of the settings that need no gateway. */
export function faultsOfSettings(
  { settings, typed, name }: UpstreamForm,
  taken: Readonly<Record<string, unknown>>,
): Faults {
  const faults = findFaults(settings, typed);
  if (name.trim() === "") return { name: "Name is required.", ...faults };
  return taken[name] === undefined ? faults : { name: `There is an upstream ${name} already.`, ...faults };
}

/** The faults of the ticked models that need no gateway. */
export function faultsOfModels(
  offered: readonly OfferedModel[],
  taken: Readonly<Record<string, unknown>>,
): Faults {
  const faults: Record<string, string> = {};
  const seen = new Set<string>();
  for (const { name, id, type, price, isTicked } of offered) {
    if (!isTicked) continue;
    if (type === undefined) faults[faultName(name, "type")] = typeFault;
    if (!isPrice(price)) faults[faultName(name, "price")] = priceFault;
    if (id.trim() === "") faults[faultName(name)] = "The id is required.";
    else if (taken[id.trim()] !== undefined || seen.has(id.trim()))
      faults[faultName(name)] = `There is a model ${id.trim()} already.`;
    seen.add(id.trim());
  }
  return faults;
}

/** The fields of the form, by the paths that the gateway names in a refusal. */
export function fieldsByPath({ name, settings, offered }: UpstreamForm): Readonly<Record<string, string>> {
  const all = (inner: readonly Setting[]): Setting[] => inner.flatMap((one) => [one, ...all(one.inner)]);
  return Object.fromEntries([
    [`upstreams.${name}`, "name"],
    ["upstream", "name"],
    ...all(settings).flatMap((one) => [
      [`upstreams.${name}.${one.name}`, one.name],
      [`upstream.${one.name}`, one.name],
    ]),
    ...offered
      .filter(({ isTicked }) => isTicked)
      .flatMap((one) => [
        [`models.${one.id}`, faultName(one.name)],
        [`models.${one.id}.price`, faultName(one.name, "price")],
        [`models.${one.id}.inputType`, faultName(one.name, "inputType")],
      ]),
  ]);
}
