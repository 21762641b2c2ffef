import { type Document, parseDocument } from "yaml";
import { isObject, listAt, withoutUndefined } from "../../domain/json.js";
import { ImportError, ImportReport } from "../import-report.js";
import {
  type GatewayDraft,
  type ModelDraft,
  type TargetDraft,
  writeGatewayFile,
} from "../write-gateway-file.js";
import { type Deployment, readDeployment } from "./deployment.js";
import { addAliases, addFallbacks, withSpace } from "./model-groups.js";
import { importedKinds } from "./model-kinds.js";
import { type ProxySettings, readSettings } from "./settings.js";
import { Upstreams } from "./upstreams.js";
import { variablesOf } from "./values.js";

/**
 * Writes the gateway's configuration for a LiteLLM proxy: https://docs.litellm.ai/docs/proxy/configs
 *
 * @param name The name of the source, for the comment at the top.
 */
export function importLitellm(text: string, name: string): string {
  const source = parseSource(text, name);
  const report = new ImportReport(variablesOf(text));
  const settings = readSettings(source, report);
  const upstreams = new Upstreams({ report, timeout: settings.timeout });
  const credentials = readCredentials(source);
  const deployments = listAt(source, "model_list").flatMap(
    (entry, index) => readDeployment(entry, index, { report, credentials }) ?? [],
  );
  const groups = new Map<string, DeploymentGroup>();
  for (const deployment of deployments) addToGroup(groups, deployment, { upstreams, report });
  if (groups.size === 0)
    throw new ImportError([`${name} has no model that the gateway can serve.`, ...report.lines()].join("\n"));

  const carried = new Map([...groups].map(([id, group]) => [id, modelOf(group, { settings, report, id })]));
  addFallbacks(carried, { groups, fallbacks: settings.fallbacks, report });
  addAliases(carried, settings.aliases, report);
  const comments = new Map<string, readonly string[]>([
    ...[...groups].flatMap(([id, { remarks }]) =>
      remarks.size === 0 ? [] : [[`models/${id}`, [...remarks]] as const],
    ),
    ...settingsComments,
  ]);
  const { redisUrl, databaseUrl } = settings;
  const draft: GatewayDraft = {
    ...withoutUndefined({ keys: keysOf(settings), redisUrl, databaseUrl }),
    upstreams: upstreams.drafts,
    models: Object.fromEntries(carried),
  };
  return writeGatewayFile(draft, {
    lines: [`Imported from ${name}, a configuration of LiteLLM.`, ...report.lines()],
    comments,
  });
}

const settingsComments = [
  [
    "keys",
    [
      "LiteLLM's master key, so that its callers keep working. It is not the admin key here: the first start creates one and",
      "prints it. LiteLLM's virtual keys are in its database: create new ones through the admin API.",
    ],
  ],
  ["databaseUrl", ["Give the gateway its own database, not that of LiteLLM."]],
] as const;

function parseSource(text: string, name: string): unknown {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined)
    throw new ImportError(`${name} is not valid YAML: ${error.message.split("\n")[0]}`);
  const source = toValue(document, name);
  if (!isObject(source) || !Array.isArray(source.model_list))
    throw new ImportError(`${name} has no model_list, so it is not the configuration of a LiteLLM proxy.`);
  return source;
}

function toValue(document: Document, name: string): unknown {
  try {
    return document.toJS();
  } catch {
    throw new ImportError(`${name} refers with * to an anchor that does not exist, or to too many.`);
  }
}

function readCredentials(source: unknown): ReadonlyMap<string, Readonly<Record<string, unknown>>> {
  return new Map(
    listAt(source, "credential_list").flatMap((one) =>
      isObject(one) && isObject(one.credential_values)
        ? [[String(one.credential_name), one.credential_values] as const]
        : [],
    ),
  );
}

/** The deployments with one `model_name`. */
interface DeploymentGroup {
  readonly first: Deployment;
  /** By upstream and name. */
  readonly targets: Map<string, TargetDraft>;
  readonly remarks: Set<string>;
}

function addToGroup(
  groups: Map<string, DeploymentGroup>,
  deployment: Deployment,
  { upstreams, report }: { readonly upstreams: Upstreams; readonly report: ImportReport },
): void {
  const { modelName, type, identity, place } = deployment;
  const group = groups.get(modelName) ?? { first: deployment, targets: new Map(), remarks: new Set() };
  const { first, targets, remarks } = group;
  if (first.type !== type || first.identity !== identity)
    return report.leaveOut(
      `${place} "${modelName}" (${identity})`,
      "It may be another model than the first of its name, whose vectors or images differ; if it is the same, give both the same model_info.base_model",
    );
  const upstream = upstreams.add(deployment);
  if (upstream === undefined) return;
  const target: TargetDraft = { upstream, model: deployment.name, ...deployment.target };
  const key = JSON.stringify([upstream, target.model]);
  if (targets.has(key))
    return report.leaveOut(`${place} "${modelName}"`, "The same model at the same upstream is listed before");
  targets.set(key, target);
  for (const remark of deployment.remarks) remarks.add(remark);
  groups.set(modelName, group);
}

interface ModelTools {
  readonly id: string;
  readonly settings: ProxySettings;
  readonly report: ImportReport;
}

function modelOf(
  { first, targets: byKey }: DeploymentGroup,
  { id, settings, report }: ModelTools,
): ModelDraft {
  const { type, model, identity } = first;
  const targets = [...byKey.values()];
  const { strategy, retriesMax, cacheTtl } = settings;
  const isCached = importedKinds[type].hasVectors && cacheTtl !== undefined;
  if (isCached && model.dimensions === undefined)
    report.leaveOut(
      `litellm_settings.cache for "${id}"`,
      "A cache needs the width of the vectors; set dimensions and cache at the model",
    );
  return {
    type,
    ...model,
    ...withoutUndefined({
      strategy: targets.length > 1 ? strategy : undefined,
      retries: retriesMax === undefined ? undefined : { max: retriesMax },
      cache: isCached && model.dimensions !== undefined ? cacheOf(cacheTtl) : undefined,
    }),
    targets: withSpace(targets, { type, space: identity }),
  };
}

function cacheOf(ttl: string): object {
  return ttl === "default" ? {} : { ttl };
}

function keysOf({ masterKey }: ProxySettings): GatewayDraft["keys"] {
  return masterKey === undefined ? undefined : [{ name: "litellm-master-key", key: masterKey }];
}
