import { hash, randomUUID } from "node:crypto";
import { type Target, targetKey, type Upstream } from "@model-gateway/domain/model";
import type { Clock } from "@model-gateway/runtime/clock";
import { isObject } from "@model-gateway/runtime/json";

/** A fact about a target that one replica shares with the others. It holds for `ms` milliseconds. */
export type TargetSignal = { readonly ms: number } & (
  | {
      /** `cooldown`: the upstream requested a pause. `opened`: the target's circuit breaker opened. */
      readonly kind: "cooldown" | "opened";
    }
  | { readonly kind: "batch-limit"; readonly maxInputs: number; readonly maxTokens: number }
);

/** Publishes a signal to the other replicas. It returns at once. */
export type PublishSignal = (target: Target, signal: TargetSignal) => void;

/** State that all replicas read and write. `RedisSignalStore` implements it. */
export interface SignalStore {
  /**
   * Adds signals and reads all that still hold, including older ones of this process. Undefined if the store is
   * unavailable.
   */
  exchange(entries: readonly StoredSignal[]): Promise<readonly StoredSignal[] | undefined>;
}

/** One entry of the store. It replaces the one with the same key. */
export interface StoredSignal {
  readonly key: string;
  readonly text: string;
  /** Remaining lifetime. */
  readonly ms: number;
}

interface TargetSignalsOptions {
  readonly store: SignalStore;
  readonly clock: Pick<Clock, "now">;
}

/**
 * Exchanges signals with the other replicas in the background. A request never waits for it: `publish`
 * only queues the signal. There is one entry for each target and kind, so neither the queue nor the store can grow
 * without bound.
 */
export class TargetSignals {
  readonly #options: TargetSignalsOptions;
  readonly #self = randomUUID();
  readonly #pending = new Map<string, { readonly text: string; readonly until: number }>();
  /** The text of the last entry that was received, by its key. */
  readonly #received = new Map<string, string>();
  #ids = new Map<string, string>();
  #targets = new Map<string, Target>();
  #count = 0;
  #isExchanging = false;

  constructor(options: TargetSignalsOptions) {
    this.#options = options;
  }

  /** Takes the targets of a configuration. Those in the gateway's own process are of no interest to others. */
  configure(targets: readonly Target[], upstreams: ReadonlyMap<string, Upstream>): void {
    this.#ids = new Map();
    this.#targets = new Map();
    for (const target of targets) {
      const upstream = upstreams.get(target.upstream);
      if (upstream?.baseUrl === undefined) continue;
      const id = signalId(target, upstream);
      this.#ids.set(targetKey(target), id);
      this.#targets.set(id, target);
    }
    for (const key of [...this.#received.keys()])
      if (!this.#targets.has(idOf(key))) this.#received.delete(key);
  }

  readonly publish: PublishSignal = (target, { ms, ...signal }) => {
    const id = this.#ids.get(targetKey(target));
    if (id === undefined) return;
    this.#count += 1;
    const text = JSON.stringify({ ...signal, by: this.#self, count: this.#count });
    this.#pending.set(`${id}:${signal.kind}`, { text, until: this.#options.clock.now() + ms });
  };

  /**
   * Called at short intervals. While the store hangs, further calls return at once.
   *
   * @param onSignal Called for each new signal of another replica.
   */
  async exchange(onSignal: PublishSignal): Promise<void> {
    if (this.#isExchanging) return;
    this.#isExchanging = true;
    try {
      const sent = [...this.#pending];
      const now = this.#options.clock.now();
      const entries = await this.#options.store.exchange(
        sent.flatMap(([key, { text, until }]) => (until > now ? [{ key, text, ms: until - now }] : [])),
      );
      if (entries === undefined) return;
      for (const [key, entry] of sent) if (this.#pending.get(key) === entry) this.#pending.delete(key);
      for (const entry of entries) this.#receive(entry, onSignal);
    } finally {
      this.#isExchanging = false;
    }
  }

  #receive({ key, text, ms }: StoredSignal, onSignal: PublishSignal): void {
    const target = this.#targets.get(idOf(key));
    if (target === undefined || this.#received.get(key) === text) return;
    this.#received.set(key, text);
    const signal = readSignal(text, ms);
    if (signal === undefined || signal.by === this.#self) return;
    onSignal(target, signal);
  }
}

/**
 * Equal on all replicas of a gateway. Gateways with other upstreams may use the same Redis. The name is part of it, because
 * a configuration may have several accounts at one address. It is a digest, because an address may contain a secret.
 */
function signalId({ upstream, model }: Target, { provider, baseUrl }: Upstream): string {
  return hash("sha256", JSON.stringify([upstream, provider, baseUrl, model])).slice(0, 32);
}

function idOf(key: string): string {
  return key.slice(0, key.indexOf(":"));
}

/** Another version of the gateway may have written it, so anything unexpected is ignored. */
function readSignal(text: string, ms: number): (TargetSignal & { readonly by: unknown }) | undefined {
  let entry: unknown;
  try {
    entry = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(entry)) return undefined;
  const { kind, by } = entry;
  if (kind === "cooldown" || kind === "opened") return { kind, by, ms };
  if (kind !== "batch-limit") return undefined;
  // JSON has no infinity: a limit that is not known is null.
  const [maxInputs, maxTokens] = [entry.maxInputs, entry.maxTokens].map((limit) =>
    limit === null ? Number.POSITIVE_INFINITY : limit,
  );
  if (!isLimit(maxInputs) || !isLimit(maxTokens)) return undefined;
  return { kind, by, ms, maxInputs, maxTokens };
}

function isLimit(value: unknown): value is number {
  return typeof value === "number" && value >= 1;
}
