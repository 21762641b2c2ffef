import type { Logger } from "pino";
import type { RequestContext } from "./request-context.js";

/** One line a request, when it is over. Sizes and names, never a key, a prompt, a vector or a picture. */
export function logRequest(
  context: RequestContext,
  { method, status, ms }: { readonly method: string; readonly status: number; readonly ms: number },
  log: Logger,
): void {
  log.info(
    {
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
    },
    "request",
  );
}
