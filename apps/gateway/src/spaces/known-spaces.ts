import type { Clock } from "@model-gateway/runtime/clock";
import type { Logger } from "pino";
import type { SpaceStates, SpaceStore, TargetCheck } from "./space-store.js";

interface KnownSpacesOptions {
  readonly store: Pick<SpaceStore, "read">;
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether other replicas may have changed something. */
  readonly isWatching: () => boolean;
  /** Called after each read. */
  readonly onRead: (change: { readonly hasNewRevisions: boolean }) => Promise<void>;
}

/** Delay until another replica's check or accepted revision is seen here. */
const readEveryMs = 15_000;

/** The vector spaces known to this process. All replicas and workers read them from the same tables. */
export class KnownSpaces {
  readonly #options: KnownSpacesOptions;
  readonly #stop = new AbortController();
  #states: SpaceStates = { accepted: new Map(), checks: [] };
  #checks = new Map<string, TargetCheck>();
  #isRead = false;
  #reading: Promise<void> = Promise.resolve();

  constructor(options: KnownSpacesOptions) {
    this.#options = options;
  }

  /** Number of accepted changes of vectors, by space. */
  get accepted(): ReadonlyMap<string, number> {
    return this.#states.accepted;
  }

  checkOf(target: Pick<TargetCheck, "space" | "upstream" | "model">): TargetCheck | undefined {
    return this.#checks.get(keyOf(target));
  }

  /** Reads the stored states, and applies them. Rejects if they cannot be read. */
  refresh(): Promise<void> {
    const reading = this.#reading.then(() => this.#read());
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  /** The first read, before the first request. If the database is down, the gateway starts without it. */
  async load(): Promise<void> {
    await this.refresh().catch((failure: unknown) =>
      this.#options.log.warn(
        { err: failure },
        "Accepted revisions of vector spaces could not be read. Until then, responses name the spaces of the configuration.",
      ),
    );
  }

  /** Reads again and again, until it is closed. */
  async watch(): Promise<void> {
    const { clock, log, isWatching } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await clock.wait(readEveryMs, signal).catch(() => undefined);
      if (signal.aborted || (this.#isRead && !isWatching())) continue;
      await this.refresh().catch((failure: unknown) =>
        log.debug({ err: failure }, "The checks of vector spaces could not be read."),
      );
    }
  }

  close(): void {
    this.#stop.abort();
  }

  async #read(): Promise<void> {
    const { store, onRead } = this.#options;
    const before = this.#states.accepted;
    this.#states = await store.read();
    this.#checks = new Map(this.#states.checks.map((check) => [keyOf(check), check]));
    this.#isRead = true;
    await onRead({ hasNewRevisions: !isSame(before, this.#states.accepted) });
  }
}

function isSame(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): boolean {
  return before.size === after.size && [...after].every(([space, count]) => before.get(space) === count);
}

function keyOf({ space, upstream, model }: Pick<TargetCheck, "space" | "upstream" | "model">): string {
  return JSON.stringify([space, upstream, model]);
}
