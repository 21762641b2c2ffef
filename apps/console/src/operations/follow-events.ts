import type { GatewayEvent } from "@model-gateway/client";
import type { QueryClient, QueryKey } from "@tanstack/react-query";

/** Queries that each event type invalidates. Filtered lists count new rows instead of replacing them. */
const outdated: Readonly<Record<GatewayEvent["type"], readonly QueryKey[]>> = {
  "stream.started": [],
  "target.state_changed": [["listUpstreams"], ["listAdminModels"], ["listAlerts"]],
  "configuration.reloaded": [
    ["retrieveConfiguration"],
    ["listAlerts"],
    ["listUpstreams"],
    ["listAdminModels"],
    ["listKeys"],
    ["retrieveKey"],
  ],
  // The reload follows, and has an event.
  "configuration.changed": [["retrieveConfiguration"]],
  "request.finished": [["listUpstreams"], ["listRequests", "newer"], ["retrieveUsage"]],
  "events.dropped": [["listUpstreams"], ["listRequests", "newer"], ["retrieveUsage"]],
};

/**
 * When to load after an event. Requests reach the database some seconds after their events, so that one look may come too
 * early. Sums take the database longer than states.
 */
const delaysMs: Readonly<Record<string, readonly number[]>> = {
  listRequests: [2000, 10_000],
  retrieveUsage: [10_000],
};
const usualDelaysMs = [2000];

/** Reloads queries that events outdate, each at most once per interval. Only visible queries are loaded. */
export class EventRefresher {
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(private readonly queries: Pick<QueryClient, "invalidateQueries">) {}

  readonly onEvent = ({ type }: Pick<GatewayEvent, "type">): void => {
    for (const queryKey of outdated[type]) this.#soon(queryKey);
  };

  /** Everything that events keep fresh. */
  readonly refreshAll = (): void => {
    const all = new Map(Object.values(outdated).flatMap((keys) => keys.map((key) => [key.join("/"), key])));
    for (const queryKey of all.values()) this.#refresh(queryKey);
  };

  #soon(queryKey: QueryKey): void {
    for (const delayMs of delaysMs[String(queryKey[0])] ?? usualDelaysMs) {
      const name = `${queryKey.join("/")} ${delayMs}`;
      if (this.#timers.has(name)) continue;
      const timer = setTimeout(() => {
        this.#timers.delete(name);
        this.#refresh(queryKey);
      }, delayMs);
      this.#timers.set(name, timer);
    }
  }

  #refresh(queryKey: QueryKey): void {
    void this.queries.invalidateQueries({ queryKey }, { cancelRefetch: false });
  }
}
