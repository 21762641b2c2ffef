import pino, { type DestinationStream, type Logger } from "pino";
import type { RequestContext } from "./request-context.js";

const { streamSym, timeSym } = pino.symbols;

/**
 * One line a request, when it is over. Sizes and names, never a key, a prompt, a vector or a picture. It is written as
 * pino would write it, without the way there: that takes five times as long, for a line whose form is always the same.
 */
export function logRequest(
  context: RequestContext,
  { method, status, ms }: { readonly method: string; readonly status: number; readonly ms: number },
  log: Logger,
): void {
  if (!log.isLevelEnabled("info")) return;
  const insides = log as unknown as Record<symbol, unknown>;
  const stream = insides[streamSym] as DestinationStream;
  const time = insides[timeSym] as () => string;
  // What is undefined is left out.
  const fields = JSON.stringify({
    id: context.id,
    clientRequestId: context.clientRequestId,
    operation: context.operation,
    caller: context.caller,
    callerName: context.callerName,
    model: context.model,
    upstream: context.upstream,
    attempts: context.attempts,
    cache: context.cache,
    errorCode: context.errorCode,
    requestBytes: context.requestBytes,
    responseBytes: context.responseBytes,
    method,
    status,
    ms: Math.round(ms * 10) / 10,
    msg: "request",
  });
  stream.write(`{"level":"info"${time()},${fields.slice(1)}\n`);
}
