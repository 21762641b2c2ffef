import type { EventFeed, GatewayEvent } from "../../events/event-feed.js";
import { invalidKey, sessionOver } from "../../execution/caller.js";
import type { Handler } from "../../execution/handler.js";

export interface EventHandlerServices {
  readonly events: Pick<EventFeed, "read">;
}

export function streamEvents({ events }: EventHandlerServices): Handler<"streamEvents"> {
  return async ({ context: { session, signal, isHead }, query: { limit } }) => {
    if (isHead) return { events: none() };
    const check = async () => {
      if (session !== undefined && !(await session.isActive())) throw invalidKey(sessionOver);
    };
    const stream = events.read({ check, signal });
    return { events: limit === undefined ? stream : firstOf(stream, limit) };
  };
}

async function* none(): AsyncGenerator<GatewayEvent> {}

async function* firstOf(events: AsyncIterable<GatewayEvent>, count: number): AsyncGenerator<GatewayEvent> {
  let sent = 0;
  for await (const event of events) {
    yield event;
    sent += 1;
    if (sent >= count) return;
  }
}
