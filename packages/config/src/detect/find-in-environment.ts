import type { Catalogue } from "@model-gateway/catalogue/catalogue";
import type { EnvironmentDetection } from "@model-gateway/providers/detection";
import type { Provider } from "@model-gateway/providers/provider";
import { explainIssue, faultsOfIssue } from "../explain-issue.js";
import { readSecretFiles } from "../files/secret-files.js";
import { offeredModels } from "../models/offered-models.js";
import type { DetectionPlace, FoundUpstream, FoundUpstreams } from "./detection.js";
import { isOwnAddress } from "./own-address.js";

/** The upstreams that the environment has credentials for. No request is sent. */
export function findInEnvironment(
  { providers, catalogue }: { readonly providers: readonly Provider[]; readonly catalogue: Catalogue },
  place: DetectionPlace,
): FoundUpstreams {
  const results = providers.flatMap(candidatesOf).map((one) => findUpstream(one, catalogue, place));
  return {
    upstreams: results.flatMap(({ upstream }) => upstream ?? []),
    warnings: results.flatMap(({ warnings }) => warnings ?? []),
  };
}

/** An upstream that the environment may have credentials for. */
interface Candidate extends Pick<Provider, "title" | "environment"> {
  readonly provider: Provider;
  /** Of the upstream, and of its facts in the catalogue. */
  readonly name: string;
  /** The settings besides those from variables. */
  readonly fixed: Readonly<Record<string, string>>;
}

/** A provider, and the services that it knows by name. */
function candidatesOf(provider: Provider): Candidate[] {
  const { name, title, environment, presets = [] } = provider;
  const fixed = { provider: name };
  const own = environment === undefined ? [] : [{ provider, name, title, environment, fixed }];
  return [
    ...own,
    ...presets.map((preset) => ({ provider, ...preset, fixed: { ...fixed, preset: preset.name } })),
  ];
}

interface Result {
  readonly upstream?: FoundUpstream;
  readonly warnings?: readonly string[];
}

function findUpstream(candidate: Candidate, catalogue: Catalogue, place: DetectionPlace): Result {
  const { environment: detection, title, name, provider, fixed } = candidate;
  if (detection === undefined) return {};
  const leaveOut = (reasons: readonly string[]): Result => ({
    warnings: reasons.map((reason) => `${reason}. ${title} was left out.`),
  });
  const chosen = chooseVariables(detection, place);
  const credentials = detection.credentials?.find((group) =>
    group.every((variable) => isSet(place.environment[variable])),
  );
  const [first = ""] = requiredSettings(detection);
  const own = detection.credentials === undefined ? chosen.get(first)?.sources : credentials;
  const instead = own === undefined ? standIn(detection, place) : undefined;
  const signs = own ?? instead?.variables;
  if (signs === undefined) return {};
  const missing =
    instead === undefined ? requiredSettings(detection).filter((setting) => !chosen.has(setting)) : [];
  if (missing.length > 0)
    return leaveOut(missing.map((setting) => explainMissing(detection.settings[setting], signs)));
  const faults = [...chosen.values()].flatMap(({ fault }) => fault ?? []);
  const settings = { ...fixed, ...instead?.settings };
  const reasons = faults.length > 0 ? faults : faultsOf({ ...candidate, fixed: settings }, chosen, place);
  if (reasons.length > 0) return leaveOut(reasons);
  const values = mapValues(chosen, ({ value }) => value);
  const offered = offeredModels({ ...provider, name, environment: detection }, catalogue, {
    ...values,
    ...settings,
  });
  if (Object.keys(offered).length === 0) return {};
  const others = credentials ?? instead?.variables ?? [];
  const sources = [...[...chosen.values()].flatMap((one) => one.sources), ...others];
  return {
    upstream: {
      source: sources.join(", "),
      name,
      settings: { ...settings, ...mapValues(chosen, ({ reference }) => reference) },
      offered,
    },
  };
}

function explainMissing(
  setting: EnvironmentDetection["settings"][string] | undefined,
  signs: readonly string[],
): string {
  const { variables = [] } = setting ?? {};
  return `${signs.join(" and ")} ${signs.length === 1 ? "is" : "are"} set, and ${variables.join(" or ")} is not`;
}

/** Settings that need none of the required variables. */
function standIn({ instead }: EnvironmentDetection, { environment }: DetectionPlace) {
  return instead?.variables.every((variable) => isSet(environment[variable])) === true ? instead : undefined;
}

/** A setting's variable. */
interface Chosen {
  readonly sources: readonly string[];
  readonly value: string;
  /** How the configuration refers to it. */
  readonly reference: string;
  readonly fault?: string;
}

function chooseVariables({ settings }: EnvironmentDetection, place: DetectionPlace): Map<string, Chosen> {
  const chosen = new Map<string, Chosen>();
  for (const [setting, { variables, path = "" }] of Object.entries(settings)) {
    const variable = variables.find((name) =>
      [name, `${name}_FILE`].some((one) => isSet(place.environment[one])),
    );
    if (variable === undefined) continue;
    const { environment, faults } = readSecretFiles(place.environment, {
      names: [variable],
      directory: place.workingDirectory,
    });
    const value = environment[variable] ?? "";
    const end = value.endsWith("/") ? path.replace(/^\//, "") : path;
    const [fault] = faults.map(({ message }) => message.replace(/^the environment variable /, ""));
    chosen.set(setting, {
      sources: [isSet(place.environment[variable]) ? variable : `${variable}_FILE`],
      value: `${value}${end}`,
      reference: `\${${variable}}${end}`,
      ...(fault === undefined ? {} : { fault }),
    });
  }
  return chosen;
}

/** Names variables instead of settings, and quotes no value. */
function faultsOf(
  { provider: { settings: schema }, fixed }: Candidate,
  chosen: ReadonlyMap<string, Chosen>,
  { environment }: DetectionPlace,
): string[] {
  const values = mapValues(chosen, ({ value }) => value);
  const nameOf = (setting: PropertyKey | undefined) =>
    chosen.get(String(setting))?.sources.join(", ") ?? String(setting);
  const parsed = schema.safeParse({ ...fixed, ...values }, { error: explainIssue });
  if (!parsed.success)
    return parsed.error.issues
      .flatMap(faultsOfIssue)
      .map(({ path: [setting], message }) => `${nameOf(setting)} ${message}`);
  const { baseUrl } = values;
  if (baseUrl === undefined || !isOwnAddress(baseUrl, environment)) return [];
  return [`${nameOf("baseUrl")} is the address of this gateway`];
}

function requiredSettings({ settings }: EnvironmentDetection): string[] {
  return Object.entries(settings).flatMap(([setting, { isRequired }]) => (isRequired ? [setting] : []));
}

/** A variable that is empty counts as absent. */
function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== "";
}

function mapValues<T, R>(map: ReadonlyMap<string, T>, change: (value: T) => R): Record<string, R> {
  return Object.fromEntries([...map].map(([key, value]) => [key, change(value)]));
}
