import type { Arrival } from "../execution/request-context.js";

/** A request in flight, without anything that its caller wrote. */
export interface ActiveRequest {
  readonly id: string;
  readonly operation: string | null;
  /** The configured model. */
  readonly model: string | null;
  /** Since its arrival. */
  readonly ms: number;
}

export interface ActiveRequestsReport {
  readonly inFlight: number;
  readonly requests: readonly ActiveRequest[];
}

const reportedMax = 3;

/** @param now Of the clock that arrivals are timed with. */
export function reportActive(
  active: ActiveRequests<Pick<Arrival, "id" | "startedAt" | "summary" | "place">>,
  now: number,
): ActiveRequestsReport {
  const requests = active.last(reportedMax).map(({ id, startedAt, summary: { operation, model } }) => ({
    id,
    operation: operation ?? null,
    model: model ?? null,
    ms: Math.round(now - startedAt),
  }));
  return { inFlight: active.size, requests };
}

/**
 * The requests in flight. While the event loop is stalled, the one that was last worked on is the one that stalls it, unless
 * its work has waited for a file, a thread or the database in between.
 *
 * A list, not a `Set`: a table that a `Set` has outgrown points to the next one, and to all that it held. Once V8 has moved
 * one to the old generation, it keeps every later request until the whole heap is collected.
 */
export class ActiveRequests<R extends Pick<Arrival, "place">> {
  readonly #requests: R[] = [];
  #turn = 0;

  get size(): number {
    return this.#requests.length;
  }

  begin(request: R): void {
    request.place.index = this.#requests.push(request) - 1;
    this.note(request);
  }

  /** Work for a request goes on. This runs a few times for each. */
  note({ place }: R): void {
    place.turn = this.#turn++;
  }

  end(request: R): void {
    const { index } = request.place;
    const last = this.#requests[index] === request ? this.#requests.pop() : undefined;
    if (last === undefined || last === request) return;
    last.place.index = index;
    this.#requests[index] = last;
  }

  /** The last first. */
  last(count: number): R[] {
    const ordered = [...this.#requests].sort((one, other) => other.place.turn - one.place.turn);
    return ordered.slice(0, count);
  }
}
