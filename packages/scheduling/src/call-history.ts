import type { TargetFailure } from "@model-gateway/domain/request-failure";

/** The calls to a target in one half hour. */
export interface HalfHour {
  /** Milliseconds since 1970. */
  readonly start: number;
  /** Calls that the target has answered. An error that the caller caused proves that it works. */
  readonly ok: number;
  readonly failed: number;
  /** How long it was down. */
  readonly downMs: number;
}

/** The last 24 hours of a target, in half hours. Those without a call and without downtime are left out. */
export interface CallHistorySnapshot {
  /** When the counts begin, in milliseconds since 1970. */
  readonly since: number;
  /** When a call last succeeded, in milliseconds since 1970, however long ago. Null if no success is known. */
  readonly provenAt: number | null;
  readonly halfHours: readonly HalfHour[];
  /** The last failure of each code and status in this time, the latest first. */
  readonly failures: readonly TargetFailure[];
}

/** More kinds of failures than these are not kept: the latest explain the state of a target. */
const failuresMax = 5;
const halfHourMs = 1_800_000;
const halfHoursMax = 48;
const spanMs = halfHoursMax * halfHourMs;

/**
 * Counts the calls to one target, and the time that it was down, for the last 24 hours. A call costs one look at the
 * clock and one increment. A target has 1 KB for its counts, whatever its traffic.
 */
export class CallHistory {
  readonly #now: () => number;
  #since: number;
  #provenAt: number | null = null;
  /** Which half hour since 1970 each place of the ring holds. */
  readonly #numbers = new Int32Array(halfHoursMax);
  readonly #ok = new Int32Array(halfHoursMax);
  readonly #failed = new Int32Array(halfHoursMax);
  readonly #downMs = new Float64Array(halfHoursMax);
  #failures: readonly TargetFailure[] = [];
  /** The part of the current downtime that is not in the counts yet. Undefined while the target is up. */
  #down: { readonly from: number; readonly until: number } | undefined;

  /** @param now The time of day, in milliseconds since 1970. */
  constructor(now: () => number, stored?: CallHistorySnapshot) {
    this.#now = now;
    this.#since = now();
    if (stored !== undefined) this.#restore(stored);
  }

  succeed(): void {
    const now = this.#now();
    const at = this.#place(Math.floor(now / halfHourMs));
    this.#ok[at] = (this.#ok[at] ?? 0) + 1;
    this.#provenAt = now;
  }

  /**
   * Time since a call last succeeded; null if no success is known.
   *
   * @param checkedAt When another process has last called it with success, in milliseconds since 1970.
   */
  provenMs(checkedAt: number | undefined): number | null {
    const at = Math.max(this.#provenAt ?? 0, checkedAt ?? 0);
    return at === 0 ? null : Math.max(0, this.#now() - at);
  }

  fail(failure: Omit<TargetFailure, "at">): void {
    const at = this.#place(Math.floor(this.#now() / halfHourMs));
    this.#failed[at] = (this.#failed[at] ?? 0) + 1;
    this.explain(failure);
  }

  /** A call that is not counted has succeeded. */
  prove(): void {
    this.#provenAt = this.#now();
  }

  /** A call that need not be counted has failed. */
  explain(failure: Omit<TargetFailure, "at">): void {
    this.#failures = latestFailures([{ at: this.#now(), ...failure }, ...this.#failures]);
  }

  /**
   * The target is down from now on. Called again, it only changes the end.
   *
   * @param forMs After this time it is up again, although nothing reports that.
   */
  goDown(forMs = Number.POSITIVE_INFINITY): void {
    this.#settle();
    const now = this.#now();
    this.#down = { from: now, until: now + forMs };
  }

  comeUp(): void {
    if (this.#down === undefined) return;
    this.#settle();
    this.#down = undefined;
  }

  snapshot(): CallHistorySnapshot {
    this.#settle();
    const now = this.#now();
    const first = Math.floor(now / halfHourMs) - halfHoursMax + 1;
    const halfHours = Array.from(this.#numbers, (number, at) => ({
      start: number * halfHourMs,
      ok: this.#ok[at] ?? 0,
      failed: this.#failed[at] ?? 0,
      downMs: this.#downMs[at] ?? 0,
    }))
      .filter(
        ({ start, ok, failed, downMs }) =>
          start >= first * halfHourMs && (ok > 0 || failed > 0 || downMs > 0),
      )
      .sort((one, other) => one.start - other.start);
    return {
      since: Math.max(this.#since, first * halfHourMs),
      provenAt: this.#provenAt,
      halfHours,
      failures: this.#failures.filter(({ at }) => at >= first * halfHourMs),
    };
  }

  #restore({ since, provenAt, halfHours, failures }: CallHistorySnapshot): void {
    this.#since = Math.min(this.#since, since);
    this.#provenAt = provenAt;
    this.#failures = latestFailures(failures);
    for (const { start, ok, failed, downMs } of halfHours.slice(-halfHoursMax)) {
      const at = this.#place(Math.floor(start / halfHourMs));
      this.#ok[at] = ok;
      this.#failed[at] = failed;
      this.#downMs[at] = downMs;
    }
  }

  /** Moves the downtime up to now into the counts. */
  #settle(): void {
    if (this.#down === undefined) return;
    const now = this.#now();
    const end = Math.min(now, this.#down.until);
    let from = Math.max(this.#down.from, now - spanMs);
    while (from < end) {
      const number = Math.floor(from / halfHourMs);
      const to = Math.min(end, (number + 1) * halfHourMs);
      const at = this.#place(number);
      this.#downMs[at] = (this.#downMs[at] ?? 0) + to - from;
      from = to;
    }
    this.#down = { from: now, until: this.#down.until };
  }

  /** The place of a half hour in the ring, emptied if it held an older one. */
  #place(number: number): number {
    const at = number % halfHoursMax;
    if (this.#numbers[at] !== number) {
      this.#numbers[at] = number;
      this.#ok[at] = 0;
      this.#failed[at] = 0;
      this.#downMs[at] = 0;
    }
    return at;
  }
}

/** One history of a target that several workers call: all calls, and the longest downtime that one of them saw. */
export function mergeHistories(histories: readonly CallHistorySnapshot[]): CallHistorySnapshot {
  const merged = new Map<number, HalfHour>();
  for (const { halfHours } of histories)
    for (const one of halfHours) {
      const other = merged.get(one.start);
      merged.set(one.start, other === undefined ? one : addUp(one, other));
    }
  return {
    since: Math.min(...histories.map(({ since }) => since)),
    provenAt: histories.reduce<number | null>(
      (latest, { provenAt }) => (provenAt === null ? latest : Math.max(latest ?? 0, provenAt)),
      null,
    ),
    halfHours: [...merged.values()].sort((one, other) => one.start - other.start),
    failures: latestFailures(histories.flatMap(({ failures }) => failures)),
  };
}

/** Of each code and status the last one. Messages differ in times and ids that are worth no second entry. */
function latestFailures(failures: readonly TargetFailure[]): readonly TargetFailure[] {
  const latest = new Map<string, TargetFailure>();
  for (const failure of failures.toSorted((one, other) => other.at - one.at)) {
    const kind = `${failure.code} ${failure.status}`;
    if (!latest.has(kind)) latest.set(kind, failure);
  }
  return [...latest.values()].slice(0, failuresMax);
}

function addUp(one: HalfHour, other: HalfHour): HalfHour {
  return {
    start: one.start,
    ok: one.ok + other.ok,
    failed: one.failed + other.failed,
    downMs: Math.max(one.downMs, other.downMs),
  };
}
