import pino, { type DestinationStream, type Logger } from "pino";
import { Cohort } from "../domain/cohort.js";
import type { RequestContext } from "./request-context.js";

const { streamSym, timeSym } = pino.symbols;

/** A request that is over, and what became of it. */
interface Over {
  readonly context: RequestContext;
  readonly method: string;
  readonly status: number;
  readonly ms: number;
  readonly log: Logger;
}

const overs = new Cohort<Over>(writeLine);

/** One line a request, when it is over. Sizes and names, never a key, a prompt, a vector or a picture. */
export function logRequest(over: Over): void {
  if (over.log.isLevelEnabled("info")) overs.add(over);
}

/** As pino would write it, without the way there: that takes five times as long, for a line of always the same form. */
function writeLine({ context, method, status, ms, log }: Over): void {
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
