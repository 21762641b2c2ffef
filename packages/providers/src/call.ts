import type { TakeMemory } from "@model-gateway/domain/call-context";
import type { Target } from "@model-gateway/domain/model";

/** A model at an upstream, with what the catalogue said of it when the configuration was loaded. */
export type ModelTarget = Pick<Target, "model" | "facts">;

/**
 * One attempt at one target. `AttemptCall` (`scheduling/attempt.ts`) implements it: a class, because one is made for
 * every request.
 */
export interface Call {
  readonly target: ModelTarget & Pick<Target, "upstream">;
  /** The model's name at the upstream. */
  readonly model: string;
  /** Aborts when the caller leaves, or when a hedged attempt was faster. */
  readonly signal: AbortSignal;
  /** Time limit of the whole attempt. */
  readonly timeoutMs: number;
  /** The rest of that time. It may be negative. */
  readonly remainingMs: number;
  /** The id of the key that the call is for. Undefined: the gateway itself. */
  readonly caller?: string;
  /** Whether calls that are not of the priority `bulk` go first. Undefined: it is not. */
  readonly isBulk?: boolean;
  /** Trace headers for the upstream. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** To be called when its reply has arrived or goes on. */
  readonly onActive?: (() => void) | undefined;
  /** To be called before a large reply is read. */
  readonly takeMemory?: TakeMemory | undefined;
  /** Rejects with the signal's reason when it aborts. */
  wait(ms: number): Promise<void>;
  /**
   * To be called as soon as the upstream may have begun something that is billed although its reply was not an error,
   * such as when it has accepted a job. No failure after it counts as "nothing was made", so the request is not sent to
   * another target.
   */
  committed(): void;
}

/**
 * The gateway's own call, such as for a model list or to cancel a job: no caller waits for it. It is for one request,
 * so its time does not run down.
 */
export function ownCall({ target, signal, timeoutMs }: Pick<Call, "target" | "signal" | "timeoutMs">): Call {
  return {
    target,
    model: target.model,
    signal,
    timeoutMs,
    remainingMs: timeoutMs,
    wait: () => Promise.reject(new Error("A call for one request does not wait.")),
    committed: () => undefined,
  };
}
