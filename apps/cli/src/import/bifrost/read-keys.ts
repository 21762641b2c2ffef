import type { ModelType } from "@model-gateway/domain/operations";
import { isObject, listAt, objectAt, withoutUndefined } from "@model-gateway/runtime/json";
import { readAddress } from "../addresses.js";
import { expandPattern } from "../expand-pattern.js";
import type { ImportReport } from "../import-report.js";
import { typeOfName } from "../model-kinds.js";
import { readNumber, readSecret, readText } from "../values.js";
import { literal, type UpstreamDraft } from "../write-gateway-file.js";
import { type BifrostProvider, isComplete, withVersion } from "./providers.js";

/** A provider of the source, and where its parts are. */
export interface ProviderSource {
  /** Bifrost's name of it, which is the start of its models' names. */
  readonly name: string;
  readonly provider: BifrostProvider;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly report: ImportReport;
  /** Whether an empty list of models means all: so in the first version of the file. */
  readonly emptyIsAll: boolean;
}

/** A model behind one key. */
export interface KeyModel {
  /** The name for callers. */
  readonly id: string;
  readonly type: ModelType;
  /** The name at the provider, and that of the model itself. */
  readonly name: string;
  readonly identity: string;
  readonly weight: number | undefined;
}

const page = "guides/moving-from-bifrost.md";
const chatModel =
  "By their names these are chat models, which the gateway does not serve; add one that creates vectors or images by hand";

/** The upstream of a key. Undefined if it lacks an address or a key. */
export function readKeyUpstream(
  source: ProviderSource,
  { index, upstream }: { readonly index: number; readonly upstream: string },
): UpstreamDraft | undefined {
  const { name, provider, settings, report } = source;
  const key = objectAt({ key: listAt(settings, "keys")[index] }, "key");
  const path = `providers.${name}.keys[${index}]`;
  const prefix = `UPSTREAM_${upstream.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}`;
  const network = readNetwork(source, prefix);
  const own = provider.configKey ?? "";
  const config = { config: objectAt(key, own), path: `${path}.${own}`, prefix, report };
  // An upstream with other credentials has no key, and Bifrost's files have an empty one.
  const value = key.value === "" ? undefined : key.value;
  if (key.value === "") report.imported(`${path}.value`);
  const apiKey = readSecret(value, { place: `${path}.value`, report, variable: `${prefix}_API_KEY` });
  const draft: UpstreamDraft = {
    provider:
      network.baseUrl === undefined ? provider.provider : (provider.providerWithBase ?? provider.provider),
    ...withoutUndefined({
      preset: provider.preset,
      baseUrl: provider.baseUrl,
      ...network,
      apiKey,
      ...provider.read?.(config),
    }),
  };
  return isComplete(draft) ? draft : report.leaveOut(path, { why: "It needs an address and a key", page });
}

/** The settings of all upstreams of a provider. */
function readNetwork({ name, provider, settings, report }: ProviderSource, prefix: string) {
  const network = objectAt(settings, "network_config");
  const path = `providers.${name}.network_config`;
  const placed = (key: string) => ({ place: `${path}.${key}`, report });
  const seconds = readNumber(network.default_request_timeout_in_seconds, {
    ...placed("default_request_timeout_in_seconds"),
    min: 0.001,
    max: 3600,
  });
  const headers = Object.entries(objectAt(network, "extra_headers")).flatMap(([header, value]) => {
    const variable = `${prefix}_${header.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}`;
    const read = readSecret(value, { ...placed(`extra_headers.${header}`), variable });
    return read === undefined ? [] : [[header, read] as const];
  });
  const ca = readText(network.ca_cert_pem || undefined, placed("ca_cert_pem"));
  return withoutUndefined({
    baseUrl: readAddress(network.base_url || undefined, {
      ...placed("base_url"),
      variable: `${prefix}_BASE_URL`,
      written: (url) => withVersion(url, provider.version ?? ""),
    }),
    timeoutMs: seconds === undefined ? undefined : Math.round(seconds * 1000),
    headers: headers.length === 0 ? undefined : Object.fromEntries(headers),
    tls: ca === undefined ? undefined : { ca },
    proxy: readProxy(objectAt(settings, "proxy_config"), { name, report, prefix }),
  });
}

function readProxy(
  { type, url, username, password }: Readonly<Record<string, unknown>>,
  { name, report, prefix }: { readonly name: string; readonly report: ImportReport; readonly prefix: string },
): string | undefined {
  const path = `providers.${name}.proxy_config`;
  if (type !== "http" || username !== undefined || password !== undefined) return undefined;
  report.imported(`${path}.type`);
  return readAddress(url, { place: `${path}.url`, report, variable: `${prefix}_PROXY` });
}

/** The models behind a key, as far as the gateway serves them. */
export function readKeyModels(source: ProviderSource, index: number): KeyModel[] {
  const { name: provider, settings, report, emptyIsAll } = source;
  const key = objectAt({ key: listAt(settings, "keys")[index] }, "key");
  const path = `providers.${provider}.keys[${index}]`;
  const weight = readNumber(key.weight === 0 ? undefined : key.weight, {
    place: `${path}.weight`,
    report,
    min: 0.000_001,
    max: 1_000_000_000,
  });
  if (key.weight === 0) {
    report.leaveOut(path, "Its weight is 0, so it gets no requests");
    return [];
  }
  const aliases = aliasesOf(key, { path, source });
  const listed = [...listAt(key, "models").entries()].map(([at, name]) => ({
    place: `${path}.models[${at}]`,
    name: String(name),
  }));
  const vllm = objectAt(key, source.provider.configKey ?? "").model_name;
  if (typeof vllm === "string") {
    report.imported(`${path}.${source.provider.configKey}.model_name`);
    listed.push({ place: `${path}.${source.provider.configKey}.model_name`, name: vllm });
  }
  if (listed.length === 0 && emptyIsAll) listed.push({ place: `${path}.models`, name: "*" });
  if (listed.length === 0)
    report.leaveOut(path, {
      why: 'Its list of models is empty, so it serves none; write ["*"] for all',
      page,
    });
  const isAll = listed.some(({ name }) => name === "*");
  const named = isAll ? [...aliases.keys()].map((name) => ({ place: `${path}.aliases.${name}`, name })) : [];
  return [...listed, ...named].flatMap(({ place, name }) =>
    modelsNamed(source, { place, name, alias: aliases.get(name), path, weight }),
  );
}

/** The names at the provider, by the names for callers. */
function aliasesOf(
  key: Readonly<Record<string, unknown>>,
  { path, source }: { readonly path: string; readonly source: ProviderSource },
): ReadonlyMap<string, Readonly<Record<string, unknown>>> {
  const { provider, report } = source;
  const config = provider.configKey ?? "";
  const deployments = provider.provider === "azure" ? objectAt(objectAt(key, config), "deployments") : {};
  if (Object.keys(deployments).length > 0) report.imported(`${path}.${config}.deployments`);
  return new Map(
    Object.entries({ ...deployments, ...objectAt(key, "aliases") }).map(([name, alias]) => [
      name,
      isObject(alias) ? alias : { model_id: alias },
    ]),
  );
}

interface NamedModel {
  /** The path of the key, and that of the name. */
  readonly path: string;
  readonly place: string;
  readonly name: string;
  readonly alias: Readonly<Record<string, unknown>> | undefined;
  readonly weight: number | undefined;
}

function modelsNamed(source: ProviderSource, { path, place, name, alias, weight }: NamedModel): KeyModel[] {
  const { provider, report } = source;
  const id = literal(`${source.name}/${name}`);
  const { model_id: at = name, model_name: identity = at } = alias ?? {};
  const title = `"${id}"`;
  const type = name === "*" ? undefined : typeOfName(`${name} ${String(identity)} ${String(at)}`);
  if (name !== "*" && type === undefined) {
    report.leaveOut(place, { why: chatModel, page, title });
    return [];
  }
  if (type !== undefined && provider.types?.includes(type) === false) {
    const why = `The gateway cannot serve ${type} models of ${source.name}`;
    report.leaveOut(place, { why, page: "upstreams/providers.md", title });
    return [];
  }
  const aliasPath = `${path}.aliases.${name}`;
  report.imported(place, `${aliasPath}.model_id`, `${aliasPath}.model_name`);
  if (isObject(alias) && Object.keys(alias).length === 1) report.imported(aliasPath);
  const theirs = literal(String(at));
  const entry = {
    modelName: id,
    name: theirs,
    type,
    provider,
    path: place,
    patternPath: place,
    title,
    report,
  };
  return expandPattern(entry).map(({ modelName, ...found }) => ({
    ...found,
    id: modelName,
    identity: found.name === theirs ? literal(String(identity)) : found.name,
    weight,
  }));
}
