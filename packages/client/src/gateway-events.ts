import { openStream, readPayloads } from "./responses/event-stream.js";
import type { Exchange, Result } from "./responses/result.js";
import type { components } from "./spec.js";

type Schemas = components["schemas"];

/** An event of `streamEvents`. */
export type GatewayEvent = Exclude<Schemas["GatewayEvent"], Schemas["StreamErrorEvent"]>;

/** Every type of event in the stream. */
const eventTypes: { readonly [Type in GatewayEvent["type"]]: true } = {
  "stream.started": true,
  "target.state_changed": true,
  "configuration.reloaded": true,
  "configuration.changed": true,
  "request.finished": true,
  "events.dropped": true,
};

/** Reads the head of the event stream. */
export function readGatewayEvents(exchange: Exchange): Promise<Result<AsyncIterable<GatewayEvent>>> {
  return openStream(exchange, readEvents);
}

/** Throws a `GatewayRequestError` when the session ends. Unknown types are skipped: the API may add some. */
async function* readEvents(response: Response): AsyncGenerator<GatewayEvent, void, undefined> {
  for await (const payload of readPayloads(response)) if (isEvent(payload)) yield payload;
}

function isEvent(payload: object): payload is GatewayEvent {
  return "type" in payload && typeof payload.type === "string" && Object.hasOwn(eventTypes, payload.type);
}
