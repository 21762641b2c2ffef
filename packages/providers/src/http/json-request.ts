import { errorOf } from "@model-gateway/domain/errors";
import { GrowingBuffer } from "@model-gateway/runtime/growing-buffer";
import { JsonTokenizer } from "@model-gateway/runtime/json-tokenizer";
import { ReplySize } from "./replies/reply-size.js";
import { parseReply } from "./replies/value-separator.js";
import type { IncomingReply, OutgoingRequest } from "./send.js";

const jsonHeaders = { "content-type": "application/json" };

/** A JSON POST. */
export function jsonRequest(path: string, body: object): OutgoingRequest {
  return { path, headers: jsonHeaders, body: JSON.stringify(body) };
}

/** Larger replies block the event loop while they are parsed: read those with a `ValueSeparator`. */
const jsonBytesMax = 8 * 1024 * 1024;

/** Most replies have less. */
const firstBytes = 4096;

/** The whole reply as JSON. */
export async function readJson(
  reply: Pick<IncomingReply, "read">,
  bytesMax: number = jsonBytesMax,
): Promise<unknown> {
  const buffer = new GrowingBuffer(firstBytes, bytesMax);
  const tokenizer = new JsonTokenizer(new ReplySize());
  let bytes = 0;
  await reply.read((chunk) => {
    bytes += chunk.length;
    if (bytes > bytesMax) throw errorOf("upstream_invalid_reply", { reason: "it is too large" });
    buffer.add(chunk);
    tokenizer.push(chunk);
  });
  return parseReply(buffer.content.toString("utf8"));
}
