import { hash, randomUUID } from "node:crypto";
import type { Clock } from "../domain/clock.js";
import { isObject } from "../domain/json.js";
import { type Target, targetKey, type Upstream } from "../domain/model.js";

/** What one replica has learned of a target, for the others. It holds for `ms` milliseconds. */
export type TargetSignal = { readonly ms: number } & (
  | {
      /** `cooldown`: the upstream asked for a pause. `opened`: the circuit breaker of the target opened. */
      readonly kind: "cooldown" | "opened";
    }
  | { readonly kind: "batch-limit"; readonly maxInputs: number; readonly maxTokens: number }
);

/** Tells the other replicas. It returns at once. */
export type TellSignal = (target: Target, signal: TargetSignal) => void;

/** A board that all replicas read and write. `RedisSignalBoard` implements it. */
export interface SignalBoard {
  /**
   * Puts notes up and reads all notes that still hold, those of others and older ones of this process. Undefined if the
   * board is unavailable.
   */
  exchange(notes: readonly Note[]): Promise<readonly Note[] | undefined>;
}

/** One line of the board. A note replaces the one with the same key. */
export interface Note {
  readonly key: string;
  readonly text: string;
  /** How long it holds from now on. */
  readonly ms: number;
}

export interface TargetSignalsOptions {
  readonly board: SignalBoard;
  readonly clock: Pick<Clock, "now">;
}

interface Pending {
  readonly text: string;
  readonly until: number;
}

/**
 * Exchanges signals with the other replicas in the background. A request never waits for it: `tell` only notes the
 * signal. There is one note for each target and kind, so neither what waits nor the board can grow without bound.
 */
export class TargetSignals {
  readonly #options: TargetSignalsOptions;
  readonly #self = randomUUID();
  readonly #pending = new Map<string, Pending>();
  /** The text of the last note that was passed on, by its key. */
  readonly #heard = new Map<string, string>();
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
    for (const key of [...this.#heard.keys()]) if (!this.#targets.has(idOf(key))) this.#heard.delete(key);
  }

  readonly tell: TellSignal = (target, { ms, ...signal }) => {
    const id = this.#ids.get(targetKey(target));
    if (id === undefined) return;
    this.#count += 1;
    const text = JSON.stringify({ ...signal, by: this.#self, count: this.#count });
    this.#pending.set(`${id}:${signal.kind}`, { text, until: this.#options.clock.now() + ms });
  };

  /**
   * Called every moment. While the board hangs, further calls return at once.
   *
   * @param onSignal Called for each new signal of another replica.
   */
  async exchange(onSignal: TellSignal): Promise<void> {
    if (this.#isExchanging) return;
    this.#isExchanging = true;
    try {
      const sent = [...this.#pending];
      const now = this.#options.clock.now();
      const notes = await this.#options.board.exchange(
        sent.flatMap(([key, { text, until }]) => (until > now ? [{ key, text, ms: until - now }] : [])),
      );
      if (notes === undefined) return;
      for (const [key, note] of sent) if (this.#pending.get(key) === note) this.#pending.delete(key);
      for (const note of notes) this.#hear(note, onSignal);
    } finally {
      this.#isExchanging = false;
    }
  }

  #hear({ key, text, ms }: Note, onSignal: TellSignal): void {
    const target = this.#targets.get(idOf(key));
    if (target === undefined || this.#heard.get(key) === text) return;
    this.#heard.set(key, text);
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
  let note: unknown;
  try {
    note = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(note)) return undefined;
  const { kind, by } = note;
  if (kind === "cooldown" || kind === "opened") return { kind, by, ms };
  if (kind !== "batch-limit") return undefined;
  // JSON has no infinity: a limit that is not known is null.
  const [maxInputs, maxTokens] = [note.maxInputs, note.maxTokens].map((limit) =>
    limit === null ? Number.POSITIVE_INFINITY : limit,
  );
  if (!isLimit(maxInputs) || !isLimit(maxTokens)) return undefined;
  return { kind, by, ms, maxInputs, maxTokens };
}

function isLimit(value: unknown): value is number {
  return typeof value === "number" && value >= 1;
}
