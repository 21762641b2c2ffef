import type { HideSecrets } from "@model-gateway/domain/hide-secrets";
import { every } from "@model-gateway/runtime/every";
import type { Response } from "express";
import type { Logger } from "pino";
import type { StreamedEvent } from "../../execution/handler.js";
import { toGatewayError } from "../../execution/note-error.js";
import { type SerializedImages, serializeEvent } from "../../images/serialize.js";
import { arrivalOf } from "../request/arrival.js";
import { addHeader, writeHead } from "./headers.js";
import { untilDrained, writeCorked } from "./write-chunks.js";
import { errorEvent } from "./write-error.js";

export interface EventOptions {
  readonly log: Logger;
  readonly secrets: HideSecrets;
  /** Whether secrets in the response are hidden. Embeddings and images are not looked through. */
  readonly hidesSecrets: boolean;
}

/** Interval of comments: proxies and clients give up on a silent connection. */
const heartbeatMs = 15_000;

/** Writes events as they come, no faster than the caller reads. A failure is written as the last event. */
export async function writeEvents(
  response: Response,
  events: AsyncIterable<StreamedEvent>,
  { log, secrets, hidesSecrets }: EventOptions,
): Promise<void> {
  const { id, headers, summary, finish } = arrivalOf(response);
  addHeader(response, "content-type", "text/event-stream; charset=utf-8");
  // The admin API has said already that nothing may be stored.
  if (!headers.includes("no-store")) addHeader(response, "cache-control", "no-cache, no-transform");
  // nginx buffers a response unless this header forbids it.
  addHeader(response, "x-accel-buffering", "no");
  writeHead(response, 200);
  response.flushHeaders();
  const beat = () => response.writableNeedDrain || response.write(": keep-alive\n\n");
  const heartbeat = every(heartbeatMs, beat, { task: "keep_streams_alive" });
  try {
    for await (const event of events)
      await write(response, serializeEvent(hidesSecrets ? withoutSecrets(event, secrets) : event));
  } catch (thrown) {
    if (response.closed) return;
    const error = toGatewayError(thrown);
    summary.errorCode = error.code;
    summary.error = error;
    if (error.status >= 500) log.error({ id, code: error.code, err: thrown }, error.message);
    const event = errorEvent(error, secrets);
    const text = `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
    await write(response, { chunks: [text], bytes: Buffer.byteLength(text) });
  } finally {
    void heartbeat.stop();
  }
  await finish(200);
  response.end();
}

async function write(response: Response, { chunks, bytes }: SerializedImages): Promise<void> {
  const { signal, summary } = arrivalOf(response);
  signal.throwIfAborted();
  summary.responseBytes += bytes;
  writeCorked(response, chunks);
  response.uncork();
  if (response.writableNeedDrain) await untilDrained(response);
}

/** For events of the gateway itself, which have no image. */
function withoutSecrets(event: StreamedEvent, secrets: HideSecrets): StreamedEvent {
  // The filter changes strings alone, so the shape stays.
  return JSON.parse(secrets.hideInJson(JSON.stringify(event))) as StreamedEvent;
}
