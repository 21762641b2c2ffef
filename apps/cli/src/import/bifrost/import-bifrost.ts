import { providerOf } from "@model-gateway/providers/registry";
import { isObject, listAt, objectAt, withoutUndefined } from "@model-gateway/runtime/json";
import { FreeNames } from "../free-names.js";
import { ImportError, ImportReport, oneLine } from "../import-report.js";
import { sourceKinds, withSpace } from "../model-kinds.js";
import { readNumber, readText } from "../values.js";
import {
  type GatewayDraft,
  type ModelDraft,
  type TargetDraft,
  type UpstreamDraft,
  writeGatewayFile,
} from "../write-gateway-file.js";
import { importedProviders } from "./providers.js";
import { type KeyModel, type ProviderSource, readKeyModels, readKeyUpstream } from "./read-keys.js";
import { restOfFile } from "./rest.js";
import { readVirtualKeys } from "./virtual-keys.js";

/** A value that Bifrost takes from the environment. */
const reference = /env\.([A-Za-z_][A-Za-z0-9_]*)/;

const page = "guides/moving-from-bifrost.md";

/** A model of the new file: the targets of all keys that serve it. */
interface ModelGroup {
  readonly first: KeyModel;
  readonly gatewayProvider: string;
  readonly retriesMax: number | undefined;
  readonly targets: TargetDraft[];
}

/**
 * Writes the gateway's configuration for a Bifrost config.json: https://docs.getbifrost.ai
 *
 * @param name The name of the source, for the comment at the top.
 */
export function importBifrost(text: string, name: string): string {
  const source = parseSource(text, name);
  const report = new ImportReport(text, reference);
  const upstreams = new Map<string, UpstreamDraft>();
  const comments = new Map<string, readonly string[]>();
  const groups = new Map<string, ModelGroup>();
  for (const one of readProviders(source, report)) addProvider(one, { upstreams, comments, groups });
  if (groups.size === 0)
    throw new ImportError([`${name} has no model that the gateway can serve.`, ...report.lines()].join("\n"));

  const keys = readVirtualKeys(source, report);
  report.leaveOutRest(source, restOfFile);
  const draft: GatewayDraft = {
    ...(keys.length === 0 ? {} : { keys }),
    upstreams: Object.fromEntries(upstreams),
    models: Object.fromEntries([...groups].map(([id, group]) => [id, modelOf(group)])),
  };
  return writeGatewayFile(draft, {
    lines: [`Imported from ${name}, a configuration of Bifrost.`, ...report.lines()],
    comments,
  });
}

function parseSource(text: string, name: string): Readonly<Record<string, unknown>> {
  let source: unknown;
  try {
    source = JSON.parse(text);
  } catch {
    throw new ImportError(`${name} is not valid JSON.`);
  }
  if (!isObject(source) || !isObject(source.providers))
    throw new ImportError(`${name} has no providers, so it is not the configuration of Bifrost.`);
  return source;
}

/** The providers that the gateway has. The others are reported. */
function readProviders(source: Readonly<Record<string, unknown>>, report: ImportReport): ProviderSource[] {
  return Object.keys(objectAt(source, "providers")).flatMap((name) => {
    const settings = objectAt(objectAt(source, "providers"), name);
    const custom = objectAt(settings, "custom_provider_config").base_provider_type;
    const provider = importedProviders[typeof custom === "string" ? custom : name];
    const path = `providers.${name}`;
    if (provider === undefined) {
      report.leaveOut(path, { why: "The gateway has no such provider", page: "upstreams/providers.md" });
      return [];
    }
    if (custom !== undefined) report.imported(`${path}.custom_provider_config.base_provider_type`);
    return [{ name, provider, settings, report, emptyIsAll: source.version === 1 }];
  });
}

interface Collected {
  readonly upstreams: Map<string, UpstreamDraft>;
  readonly comments: Map<string, readonly string[]>;
  readonly groups: Map<string, ModelGroup>;
}

function addProvider(source: ProviderSource, { upstreams, comments, groups }: Collected): void {
  const { name, settings, report, provider } = source;
  const names = new FreeNames();
  const retriesMax = readNumber(objectAt(settings, "network_config").max_retries, {
    place: `providers.${name}.network_config.max_retries`,
    report,
    min: 0,
    max: 10,
    isWhole: true,
  });
  for (const index of listAt(settings, "keys").keys()) {
    const models = readKeyModels(source, index);
    if (models.length === 0) continue;
    const upstream = names.find(name, "-", (one) => upstreams.has(one));
    const draft = readKeyUpstream(source, { index, upstream });
    if (draft === undefined) continue;
    const keyName = readText(objectAt({ key: listAt(settings, "keys")[index] }, "key").name, {
      place: `providers.${name}.keys[${index}].name`,
      report,
    });
    if (keyName !== undefined)
      comments.set(`upstreams/${upstream}`, [oneLine(`Bifrost's key "${keyName}".`)]);
    upstreams.set(upstream, draft);
    for (const model of models) {
      const gatewayProvider = provider.provider;
      const group = groups.get(model.id) ?? { first: model, gatewayProvider, retriesMax, targets: [] };
      if (group.first.identity !== model.identity || group.first.type !== model.type) {
        const why = "It may be another model than the first of its name, whose vectors or images differ";
        report.leaveOut(`providers.${name}.keys[${index}].aliases`, { why, page, title: `"${model.id}"` });
        continue;
      }
      groups.set(model.id, group);
      const { weight } = model;
      group.targets.push({
        upstream,
        model: model.name,
        ...provider.targets?.[model.type],
        ...withoutUndefined({ weight: weight === 1 ? undefined : weight }),
      });
    }
  }
}

function modelOf({ first, gatewayProvider, retriesMax, targets }: ModelGroup): ModelDraft {
  const { type, name, identity } = first;
  const { facts, fit } = sourceKinds[type];
  return {
    type,
    ...fit(facts(identity), providerOf(gatewayProvider), name),
    ...withoutUndefined({
      strategy: targets.length > 1 ? "weighted" : undefined,
      retries: retriesMax === undefined ? undefined : { max: retriesMax },
    }),
    targets: withSpace(targets, { type, space: identity }),
  };
}
