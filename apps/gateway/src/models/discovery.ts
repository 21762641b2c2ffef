import { isDeepStrictEqual } from "node:util";
import type { DiscoveredModels } from "@model-gateway/config/config";
import { kindOf } from "@model-gateway/config/kinds/kinds";
import type { FactsOf } from "@model-gateway/config/models/with-facts";
import { GatewayError } from "@model-gateway/domain/errors";
import type { Model } from "@model-gateway/domain/model";
import type { ModelType } from "@model-gateway/domain/operations";
import { matchesWildcard } from "@model-gateway/domain/wildcard";
import type { ListedModel } from "@model-gateway/providers/provider";
import type { Clock } from "@model-gateway/runtime/clock";
import { Semaphore } from "@model-gateway/runtime/semaphore";
import type { Logger } from "pino";
import { deriveModel } from "./pattern-models.js";

/** Number of models offered per upstream. */
const discoveredMax = 500;
const parallelProbes = 4;
/** Delay before a list that could not be read is requested again. */
const retryMs = 30_000;
const nameLengthMax = 256;

/** A model's recognized type, and the fields from its reply. */
interface RecognizedModel {
  readonly type: ModelType;
  readonly fields: object;
}

/** An upstream whose models are discovered. */
export interface DiscoverySource {
  readonly upstream: string;
  readonly everyMs: number;
  readonly rules: readonly DiscoveredModels[];
  readonly listModels: (signal: AbortSignal) => Promise<readonly ListedModel[]>;
  /** Asks the upstream whether a model is of a type. Returns the fields from the reply, or undefined. */
  readonly recognize: (name: string, type: ModelType, signal: AbortSignal) => Promise<object | undefined>;
  readonly factsOf: FactsOf;
}

export interface DiscoveryState {
  /** Number of models offered. */
  readonly models: number;
  /** When the list was last read, in milliseconds since 1970. */
  readonly checkedAt: number | null;
  /** Why it could not be read the last time. */
  readonly error: string | null;
}

interface DiscoveryOptions {
  /** Its times are milliseconds since 1970. */
  readonly clock: Clock;
  readonly log: Logger;
  /** Called when other models are offered. */
  readonly onChange: () => void;
}

/** Discovery state of an upstream. It outlives a new configuration. */
class DiscoveredState {
  /** By name. */
  listed: ReadonlyMap<string, ListedModel> = new Map();
  /** By name; undefined for a model that is not offered. */
  readonly recognized = new Map<string, RecognizedModel | undefined>();
  checkedAt: number | null = null;
  error: string | null = null;
}

/** Reads the upstreams' model lists periodically, and finds the type of each model. */
export class Discovery {
  readonly #options: DiscoveryOptions;
  readonly #found = new Map<string, DiscoveredState>();
  #sources: readonly DiscoverySource[] = [];
  #running = new AbortController();

  constructor(options: DiscoveryOptions) {
    this.#options = options;
  }

  /** Takes the upstreams of a configuration, and queries all of them at once. Resolves after the first round. */
  async configure(sources: readonly DiscoverySource[]): Promise<void> {
    this.#running.abort();
    this.#running = new AbortController();
    const { signal } = this.#running;
    this.#sources = sources;
    const kept = new Set(sources.map(({ upstream }) => upstream));
    for (const upstream of [...this.#found.keys()]) if (!kept.has(upstream)) this.#found.delete(upstream);
    const rounds = sources.map(async (source) => {
      await this.#round(source, signal);
      void this.#repeat(source, signal);
    });
    await Promise.all(rounds);
  }

  /** The models that these sources offer, from the present state. */
  modelsFor(sources: readonly DiscoverySource[]): Model[] {
    return sources.flatMap((source) => {
      const found = this.#found.get(source.upstream);
      return [...(found?.listed.keys() ?? [])].flatMap((name) => modelOf(name, source, found) ?? []);
    });
  }

  state(upstream: string): DiscoveryState | null {
    const source = this.#sources.find((one) => one.upstream === upstream);
    if (source === undefined) return null;
    const { checkedAt = null, error = null } = this.#found.get(upstream) ?? {};
    return { models: this.modelsFor([source]).length, checkedAt, error };
  }

  close(): void {
    this.#running.abort();
  }

  async #repeat(source: DiscoverySource, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const isFailed = this.#found.get(source.upstream)?.error != null;
      const ms = isFailed ? Math.min(retryMs, source.everyMs) : source.everyMs;
      await this.#options.clock.wait(ms, signal).catch(() => undefined);
      if (!signal.aborted) await this.#round(source, signal);
    }
  }

  /** Never rejects: an upstream that does not reply keeps its models. */
  async #round(source: DiscoverySource, signal: AbortSignal): Promise<void> {
    const { log, onChange } = this.#options;
    const found = this.#found.get(source.upstream) ?? new DiscoveredState();
    this.#found.set(source.upstream, found);
    const before = this.modelsFor([source]);
    try {
      await this.#readList(source, found, signal);
    } catch (failure) {
      if (signal.aborted) return;
      const message =
        failure instanceof GatewayError ? failure.operatorMessage : "The list could not be read.";
      if (found.error !== message)
        log.warn(
          { upstream: source.upstream, err: failure },
          "The models of an upstream could not be listed.",
        );
      found.error = message;
      return;
    }
    if (signal.aborted) return;
    const after = this.modelsFor([source]);
    if (isDeepStrictEqual(before, after)) return;
    log.info(
      { upstream: source.upstream, models: after.length },
      "The models of an upstream were discovered.",
    );
    onChange();
  }

  async #readList(source: DiscoverySource, found: DiscoveredState, signal: AbortSignal): Promise<void> {
    const all = await source.listModels(signal);
    const names = new Map(all.map((one) => [one.name, one]));
    const usable = [...names.values()].filter((one) => isUsable(one, source));
    const listed = usable.slice(0, discoveredMax);
    await probeAll(listed, { source, found, signal });
    if (signal.aborted) return;
    found.listed = new Map(listed.map((one) => [one.name, one]));
    for (const name of found.recognized.keys()) if (!found.listed.has(name)) found.recognized.delete(name);
    found.checkedAt = this.#options.clock.now();
    found.error = null;
    if (usable.length > discoveredMax)
      this.#options.log.warn(
        { upstream: source.upstream, listed: usable.length, discoveredMax },
        "Some models are left out.",
      );
  }
}

/** The gateway has no place for a longer id, and a `*` would be a pattern. A rule for one type wants no other. */
function isUsable({ name, type }: ListedModel, source: DiscoverySource): boolean {
  const rule = ruleFor(name, source);
  if (rule === undefined || name.length === 0 || name.length > nameLengthMax || name.includes("*"))
    return false;
  return type === undefined || rule.templates.some((template) => template.type === type);
}

function ruleFor(name: string, { rules }: DiscoverySource): DiscoveredModels | undefined {
  return rules.find(({ include }) => include.some((pattern) => matchesWildcard(pattern, name)));
}

function modelOf(
  name: string,
  source: DiscoverySource,
  found: DiscoveredState | undefined,
): Model | undefined {
  const rule = ruleFor(name, source);
  const recognized = rule?.isProbed === true ? found?.recognized.get(name) : undefined;
  const template = rule?.templates.find(({ type }) => !rule.isProbed || type === recognized?.type);
  if (template === undefined) return undefined;
  const model = deriveModel(template, { id: name, captured: name }, source.factsOf);
  const listed = found?.listed.get(name);
  const told = listed && kindOf(model).readListed(model, listed);
  // The template's kind has already set its fields.
  return { ...model, ...told, ...recognized?.fields, discovered: true } as Model;
}

interface Probes {
  readonly source: DiscoverySource;
  readonly found: DiscoveredState;
  readonly signal: AbortSignal;
}

/** Asks each new model once, a few at a time. */
async function probeAll(listed: readonly ListedModel[], { source, found, signal }: Probes): Promise<void> {
  const semaphore = new Semaphore(parallelProbes);
  const unknown = listed.filter(({ name }) => ruleFor(name, source)?.isProbed && !found.recognized.has(name));
  await Promise.all(
    unknown.map(async (model) => {
      await semaphore.acquire();
      try {
        found.recognized.set(model.name, await recognize(model, source, signal));
      } catch {
        // The reply did not show its type, so it is probed again in the next round.
      } finally {
        semaphore.release();
      }
    }),
  );
}

/** Undefined where the upstream refuses to serve it as a model of any kind. */
async function recognize(
  { name, type: listed }: ListedModel,
  source: DiscoverySource,
  signal: AbortSignal,
): Promise<RecognizedModel | undefined> {
  const templates = ruleFor(name, source)?.templates ?? [];
  for (const { type } of templates.filter((one) => listed === undefined || one.type === listed)) {
    signal.throwIfAborted();
    try {
      const fields = await source.recognize(name, type, signal);
      if (fields !== undefined) return { type, fields };
      // The list says so, and no request could prove it for free.
      if (listed === type) return { type, fields: {} };
    } catch (failure) {
      if (!isRefusal(failure)) throw failure;
    }
  }
  return undefined;
}

/** A 4xx is a reply about the model, except a timeout and a throttle. */
function isRefusal(failure: unknown): boolean {
  const status = failure instanceof GatewayError ? failure.upstreamStatus : undefined;
  return status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429;
}
