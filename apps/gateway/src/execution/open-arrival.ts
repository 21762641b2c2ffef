import type { RequestMemory } from "@model-gateway/domain/call-context";
import { type FinishOptions, finishRequest, noteAttempt } from "./finish-request.js";
import type { Arrival } from "./request-context.js";
import { RequestLifetime } from "./request-lifetime.js";

export interface OpenOptions extends FinishOptions {
  readonly exposesUpstream: boolean;
  readonly openMemory: () => RequestMemory;
  /** `InFlight` (app/in-flight.ts). */
  readonly inFlight: RequestsInFlight;
}

interface RequestsInFlight {
  begin(request: Arrival): void;
  note(request: Arrival): void;
  end(request: Arrival): void;
}

/** A request as its front knows it, and the summary to which its phases add their facts. */
type OpenedRequest = Pick<Arrival, "id" | "isHead" | "clientRequestId" | "origin" | "summary">;

/** Opens a request: from here on it is in flight. */
export function openArrival(
  { id, isHead, clientRequestId, origin, summary }: OpenedRequest,
  options: OpenOptions,
): Arrival {
  const { now, exposesUpstream, openMemory, inFlight } = options;
  const lifetime = new RequestLifetime();
  let finished: Promise<void> | undefined;
  const arrival: Arrival = {
    id,
    startedAt: now(),
    arrivedAt: Date.now(),
    isHead,
    clientRequestId,
    origin,
    signal: lifetime.signal,
    memory: openMemory(),
    exposesUpstream,
    headers: ["x-request-id", id],
    lifetime,
    summary,
    place: { index: -1, turn: 0 },
    onActive: () => inFlight.note(arrival),
    finish: (given) => {
      const status = lifetime.hasCallerLeft ? 499 : given;
      finished ??= finishRequest(arrival, { status, isAbandoned: status === 499 }, options);
      return finished;
    },
    noteAttempt: () => noteAttempt(arrival, options),
    end: (status) => {
      if (finished !== undefined && !lifetime.hasBackgroundWork) return release(arrival, inFlight);
      // Work that goes on without the caller is billed, and its cost is known only at its end.
      const idle = lifetime.untilIdle().then(() => arrival.finish(status));
      return idle.finally(() => release(arrival, inFlight));
    },
  };
  inFlight.begin(arrival);
  return arrival;
}

function release(arrival: Arrival, inFlight: RequestsInFlight): undefined {
  arrival.lifetime.end();
  arrival.memory.release();
  inFlight.end(arrival);
}
