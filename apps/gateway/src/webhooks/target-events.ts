import { targetKey } from "@model-gateway/domain/model";
import type { Schemas } from "@model-gateway/domain/operations";
import { newId } from "@model-gateway/runtime/new-id";
import type { ReportedState, TargetStateChange } from "@model-gateway/scheduling/target-state";
import { type Deliveries, type DeliveryPlanOptions, planDeliveries } from "./deliveries.js";

interface TargetEventsOptions {
  readonly sender: DeliveryPlanOptions["sender"];
  readonly deliveries: Pick<Deliveries, "send">;
  /** Called with each event, whether or not there is a webhook for it. */
  readonly onEvent?: (event: Schemas["TargetStateChangedEvent"]) => void;
  /** Which of the workers this is. Each has its own view of a target. */
  readonly worker: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Target states that wait for each webhook. */
const waitingMax = 1000;

type PublishedState = Exclude<ReportedState, "half-open">;

/**
 * Sends target states to webhooks. A trial call does not count as a change: during an outage, a target alternates
 * between open and half-open every few seconds.
 */
export class TargetEvents {
  readonly #options: TargetEventsOptions;
  /** The last state that was published, for targets that are not healthy. */
  readonly #published = new Map<string, PublishedState>();

  constructor(options: TargetEventsOptions) {
    this.#options = options;
  }

  publish({ target, state, failure, pauseMs, unhealthyMs }: TargetStateChange): void {
    const { sender, deliveries, onEvent, worker, now } = this.#options;
    const at = now();
    const key = targetKey(target);
    const previous = this.#published.get(key) ?? "healthy";
    if (state === "half-open" || state === previous) return;
    if (state === "healthy") this.#published.delete(key);
    else this.#published.set(key, state);
    const event: Schemas["TargetStateChangedEvent"] = {
      type: "target.state_changed",
      timestamp: new Date(at).toISOString(),
      data: {
        upstream: target.upstream,
        model: target.model,
        state,
        previous_state: previous,
        error_code: failure?.code ?? null,
        error_message: failure?.operatorMessage ?? null,
        pause_ms: Math.round(pauseMs),
        unhealthy_ms: Math.round(unhealthyMs),
        worker,
      },
    };
    onEvent?.(event);
    const eventsFor = () => [{ id: newId("msg_"), event }];
    void deliveries.send(planDeliveries({ sender, kind: "target", eventsFor, at, waitingMax }));
  }
}
