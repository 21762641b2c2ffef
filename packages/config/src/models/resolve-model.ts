import type { Catalogue } from "@model-gateway/catalogue/catalogue";
import type { Model, ModelBase, Target } from "@model-gateway/domain/model";
import { announceEnd } from "@model-gateway/domain/model-end";
import { billedOperations, type ModelType } from "@model-gateway/domain/operations";
import type { Price } from "@model-gateway/domain/price";
import type { Provider } from "@model-gateway/providers/provider";
import {
  describeUpstream,
  findProvider,
  nameInCatalogue,
  providerOf,
} from "@model-gateway/providers/registry";
import { withoutUndefined } from "@model-gateway/runtime/json";
import type { DiscoverySettings } from "../config.js";
import type { TargetFile } from "../kinds/common-settings.js";
import { mapTargets, type TargetParts } from "../kinds/kind.js";
import { type AnyModelFile, allKinds, kindOf, modelSchema } from "../kinds/kinds.js";
import type { ConfigFile } from "../schema/schema.js";
import { type FactsOf, withFacts } from "./with-facts.js";

type UpstreamSettings = ConfigFile["upstreams"];

/** The parts of the configuration that models refer to. */
interface ConfigParts extends Pick<ConfigFile, "upstreams" | "images"> {
  readonly catalogue: Catalogue;
}

/** A configured model, with its defaults filled in. */
export function resolveModel(
  id: string,
  file: AnyModelFile,
  { upstreams, images: { credentials }, catalogue }: ConfigParts,
): Model {
  const [first, ...others] = file.targets;
  if (first === undefined) throw new Error(`The model ${id} has no target.`);
  const base: ModelBase = {
    id,
    strategy: file.strategy,
    deadlineMs: file.deadlineMs ?? defaultDeadlineMs(file, upstreams),
    ...withoutUndefined({
      retries: file.retries,
      description: file.description,
      end: file.shutdownDate === undefined ? undefined : announceEnd({ shutdownOn: file.shutdownDate }),
      aliases: file.aliases,
      // `checkPassThrough` refuses targets with different lists.
      passThrough: first.passThrough,
      limits: file.limits && withoutUndefined(file.limits),
    }),
  };
  const factsOf = factsFrom(upstreams, catalogue);
  const targets = mapTargets([first, ...others], (target): TargetParts<AnyModelFile> => {
    // `checkUpstreamsExist` refuses a target without an upstream.
    const settings = upstreams[target.upstream] ?? {};
    const { facts } = factsOf(target);
    return {
      file: target,
      target: plainTarget(target, resolvePrice(target, file, settings)),
      provider: providerOf(String(settings.provider)),
      model: { name: target.model, type: file.type, facts, settings },
    };
  });
  const model = kindOf(file).resolve(file, { base, targets, credentials });
  return withFacts(model, factsOf);
}

function factsFrom(upstreams: UpstreamSettings, catalogue: Catalogue): FactsOf {
  return ({ upstream: name, model, like }) => {
    const upstream = upstreams[name];
    if (upstream === undefined) return {};
    const described = describeUpstream(name, upstream, "");
    return catalogue.factsOf({ ...described, model, knownAs: like ?? nameInCatalogue(model, described) });
  };
}

/**
 * A rule becomes templates: models like configured ones, with a `*` for the name. Without a type there is one for each
 * kind that can be recognized, by a request or in the list.
 */
export function resolveDiscoveries(parts: ConfigParts): Map<string, DiscoverySettings> {
  const settings = Object.entries(parts.upstreams).flatMap(([name, upstream]) => {
    const { discovery } = describeUpstream(name, upstream, "");
    if (discovery === undefined) return [];
    const templateOf = (type: string, keys: object): Model => {
      const file = { type, targets: [{ upstream: name, model: "*" }], ...keys };
      return resolveModel("*", modelSchema.parse(file), parts);
    };
    const rules = discovery.rules.map(({ include, type, dimensions }) => {
      const types = type === undefined ? typesOf(providerOf(String(upstream.provider))) : [type];
      const keys = withoutUndefined({ dimensions });
      return { include, isProbed: type === undefined, templates: types.map((one) => templateOf(one, keys)) };
    });
    return [[name, { everyMs: discovery.everyMs, rules }] as const];
  });
  return new Map(settings);
}

/** The types that discovered models may have. */
function typesOf(provider: Provider): ModelType[] {
  return allKinds
    .filter(
      ({ recognize, trait }) =>
        recognize !== undefined || (provider.listsTypes === true && provider[trait] !== undefined),
    )
    .map(({ type }) => type);
}

/**
 * One target: its timeout. Several: enough for a target that stalls for its whole timeout, and for another attempt
 * elsewhere.
 */
function defaultDeadlineMs(file: AnyModelFile, upstreams: UpstreamSettings): number {
  const { mainOperation: operation } = kindOf(file);
  const timeouts = file.targets.map(({ upstream: name }) => {
    const upstream = upstreams[name];
    const described = upstream && describeUpstream(name, upstream, "");
    return (
      described?.timeoutMs ??
      described?.defaultTimeoutsMs?.[operation] ??
      billedOperations[operation].timeoutMs
    );
  });
  return Math.max(...timeouts) * (file.targets.length > 1 ? 2 : 1);
}

function plainTarget(file: TargetFile, price: Price | undefined): Target {
  const { upstream, model, weight, tier, like } = file;
  const { maxConcurrency, requestsPerMinute, tokensPerMinute, interactiveShare } = file;
  return {
    upstream,
    model,
    weight,
    tier,
    capacity: withoutUndefined({ maxConcurrency, requestsPerMinute, tokensPerMinute, interactiveShare }),
    ...withoutUndefined({ price, like }),
  };
}

/** The price of a target: its own, else its model's, or its provider's. Undefined: that of the catalogue. */
function resolvePrice(
  target: AnyModelFile["targets"][number],
  model: AnyModelFile,
  { provider }: Readonly<Record<string, unknown>>,
): Price | undefined {
  const configured = target.price ?? model.price;
  // The schema has checked that it has all keys of a price.
  if (configured !== undefined) return withoutUndefined(configured) as Price;
  return findProvider(String(provider))?.defaults.price?.[model.type];
}
