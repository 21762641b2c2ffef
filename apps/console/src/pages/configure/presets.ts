import type { Schemas } from "../../operations/schemas.js";
import type { Setting } from "./setting-schema.js";
import { type TypedSettings, textOf } from "./typed-settings.js";

export type Preset = Schemas["ProviderPreset"];

/** The service that is chosen by name. Undefined without one. */
export function presetOf(presets: readonly Preset[], typed: TypedSettings): Preset | undefined {
  return presets.find(({ id }) => id === textOf(typed, "preset"));
}

/**
 * The settings of a provider as the chosen preset makes them: its address, and what is required. Without presets they are
 * those of the schema.
 */
export function applyPreset(
  settings: readonly Setting[],
  { presets, typed }: { readonly presets: readonly Preset[]; readonly typed: TypedSettings },
): readonly Setting[] {
  if (presets.length === 0) return settings;
  const chosen = presetOf(presets, typed);
  // Behind another address is another service, which may need no key.
  const isItsAddress = textOf(typed, "baseUrl").trim() === "" || chosen?.base_url === null;
  const changes: Readonly<Record<string, Partial<Setting>>> = {
    preset: { titles: Object.fromEntries(presets.map(({ id, title }) => [id, title])) },
    baseUrl: {
      isRequired: (chosen?.base_url ?? null) === null,
      ...(chosen?.base_url && {
        help: `The address of ${chosen.title} is ${chosen.base_url} if this is empty.`,
      }),
    },
    apiKey: { isRequired: chosen?.key_required === true && isItsAddress },
  };
  return settings.map((setting) => ({ ...setting, ...changes[setting.name] }));
}
