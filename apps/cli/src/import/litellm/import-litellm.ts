import { isObject, listAt, withoutUndefined } from "@model-gateway/runtime/json";
import { type Document, parseDocument } from "yaml";
import { ImportError, ImportReport, listSome } from "../import-report.js";
import { sourceKinds, withSpace } from "../model-kinds.js";
import {
  type GatewayDraft,
  type ModelDraft,
  type TargetDraft,
  writeGatewayFile,
} from "../write-gateway-file.js";
import { type Credential, type Deployment, readDeployments } from "./deployment.js";
import { addAliases, addFallbacks } from "./model-groups.js";
import { restOfFile } from "./rest.js";
import { type ProxySettings, readSettings } from "./settings.js";
import { Upstreams } from "./upstreams.js";

/** A value that LiteLLM takes from the environment. */
const reference = /os\.environ\/([A-Za-z_][A-Za-z0-9_]*)/;

/**
 * Writes the gateway's configuration for a LiteLLM proxy: https://docs.litellm.ai/docs/proxy/configs
 *
 * @param name The name of the source, for the comment at the top.
 */
export function importLitellm(text: string, name: string): string {
  const source = parseSource(text, name);
  const report = new ImportReport(text, reference);
  const settings = readSettings(source, report);
  const upstreams = new Upstreams(report, settings.timeoutSeconds);
  const credentials = readCredentials(source);
  const groups = new Map<string, DeploymentGroup>();
  for (const [index, entry] of listAt(source, "model_list").entries())
    for (const deployment of readDeployments(entry, index, { report, credentials }))
      addToGroup(groups, deployment, { upstreams, report });
  if (groups.size === 0)
    throw new ImportError([`${name} has no model that the gateway can serve.`, ...report.lines()].join("\n"));

  const models = new Map([...groups].map(([id, group]) => [id, modelOf(group, settings)]));
  reportUncached(models, { settings, report });
  addFallbacks(models, { groups, fallbacks: settings.fallbacks, report });
  addAliases(models, settings.aliases, report);
  report.leaveOutRest(source, restOfFile);
  const comments = new Map<string, readonly string[]>([
    ...[...groups].flatMap(([id, { remarks }]) =>
      remarks.size === 0 ? [] : [[`models/${id}`, [...remarks]] as const],
    ),
    ...settingsComments,
  ]);
  const { key, redisUrl, databaseUrl } = settings;
  const draft: GatewayDraft = {
    ...withoutUndefined({ keys: key === undefined ? undefined : [key], redisUrl, databaseUrl }),
    upstreams: upstreams.drafts,
    models: Object.fromEntries(models),
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

function readCredentials(source: unknown): ReadonlyMap<string, Credential> {
  return new Map(
    listAt(source, "credential_list").flatMap((one, index) =>
      isObject(one) && isObject(one.credential_values)
        ? [
            [
              String(one.credential_name),
              { path: `credential_list[${index}]`, values: one.credential_values },
            ],
          ]
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
  const { modelName, type, identity, path, title } = deployment;
  const group = groups.get(modelName) ?? { first: deployment, targets: new Map(), remarks: new Set() };
  const { first, targets, remarks } = group;
  if (first.type !== type || first.identity !== identity)
    return report.leaveOut(path, {
      why: "It may be another model than the first of its name, whose vectors or images differ; if it is the same, give both the same model_info.base_model",
      page: "guides/moving-from-litellm.md",
      title,
    });
  const upstream = upstreams.add(deployment);
  if (upstream === undefined) return;
  const target: TargetDraft = { upstream, model: deployment.name, ...deployment.target };
  const key = JSON.stringify([upstream, target.model]);
  if (targets.has(key))
    return report.leaveOut(path, { why: "The same model at the same upstream is listed before", title });
  targets.set(key, target);
  for (const remark of deployment.remarks) remarks.add(remark);
  groups.set(modelName, group);
}

function modelOf({ first, targets: byKey }: DeploymentGroup, settings: ProxySettings): ModelDraft {
  const { type, model, identity } = first;
  const targets = [...byKey.values()];
  const { strategy, retriesMax, cacheTtl } = settings;
  const isCached = sourceKinds[type].hasVectors && model.dimensions !== undefined;
  return {
    type,
    ...model,
    ...withoutUndefined({
      strategy: targets.length > 1 ? strategy : undefined,
      retries: retriesMax === undefined ? undefined : { max: retriesMax },
      cache: isCached && cacheTtl !== undefined ? cacheOf(cacheTtl) : undefined,
    }),
    targets: withSpace(targets, { type, space: identity }),
  };
}

function cacheOf(ttl: string): object {
  return ttl === "default" ? {} : { ttl };
}

function reportUncached(
  models: ReadonlyMap<string, ModelDraft>,
  { settings: { cacheTtl }, report }: { readonly settings: ProxySettings; readonly report: ImportReport },
): void {
  const ids = [...models].flatMap(([id, { type, cache }]) =>
    sourceKinds[type].hasVectors && cache === undefined ? [`"${id}"`] : [],
  );
  if (cacheTtl === undefined || ids.length === 0) return;
  report.leaveOut("litellm_settings.cache", {
    why: "A cache needs the width of the vectors; set dimensions and cache at the model",
    page: "guides/configuration.md",
    title: `for ${listSome(ids)}`,
  });
}
