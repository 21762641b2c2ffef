import type { Relay } from "../../relay.js";
import { embed } from "./embed.js";
import type { Handler } from "./handler.js";

export function createEmbedding(relay: Relay): Handler<"createEmbedding"> {
  return (request) => embed(relay, request.body.model, request);
}
