import type { Config } from "@model-gateway/config/config";
import { kindOf } from "@model-gateway/config/kinds/kinds";
import { isPattern, type Model, namesOf } from "@model-gateway/domain/model";
import { type Call, ownCall } from "@model-gateway/providers/call";
import type { OpenUpstream } from "@model-gateway/providers/provider";
import type { DiscoverySource } from "../models/discovery.js";
import { factsOf } from "./targets-of.js";

/** Time limit for one discovery request. */
const requestMs = 10_000;

/** The upstreams of a configuration whose models are discovered. */
export function discoverySources(
  config: Config,
  upstreams: ReadonlyMap<string, OpenUpstream>,
): DiscoverySource[] {
  return [...upstreams.values()].flatMap(({ upstream, provider }) => {
    const discovery = config.discoveries.get(upstream.name);
    const { listModels } = provider;
    if (discovery === undefined || listModels === undefined) return [];
    return [
      {
        upstream: upstream.name,
        everyMs: discovery.everyMs,
        rules: discovery.rules,
        listModels: (signal) => listModels(callTo({ upstream: upstream.name, model: "" }, signal)),
        recognize: async (model, type, signal) =>
          kindOf({ type }).recognize?.(
            provider.operations,
            callTo({ upstream: upstream.name, model }, signal),
          ),
        factsOf: (target) => factsOf(target, config),
      },
    ];
  });
}

function callTo(target: Call["target"], signal: AbortSignal): Call {
  return ownCall({ target, signal, timeoutMs: requestMs });
}

/** The configuration with the discovered models. Its own models win, and then the upstream that comes first. */
export function withDiscovered(config: Config, discovered: readonly Model[]): Config {
  if (discovered.length === 0) return config;
  const own = [...config.models.values()].filter(({ id }) => !isPattern(id));
  const taken = new Set(own.flatMap(namesOf));
  const models = new Map<string, Model>(config.models);
  for (const model of discovered)
    if (!taken.has(model.id) && !models.has(model.id)) models.set(model.id, model);
  return { ...config, models };
}
