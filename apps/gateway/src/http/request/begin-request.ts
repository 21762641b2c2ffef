import type { Request, Response } from "express";
import type { RequestMemory } from "../../domain/call-context.js";
import { GatewayError } from "../../errors.js";
import type { LogRequest } from "../../telemetry/log.js";
import { type FinishOptions, finishRequest, noteAttempt } from "./finish-request.js";
import { type Arrival, setArrival } from "./request-context.js";
import type { RequestIds } from "./request-id.js";
import { CallerLeftError, RequestLifetime } from "./request-lifetime.js";
import { RequestSummary } from "./request-summary.js";

export interface BeginOptions extends FinishOptions {
  readonly requestIds: RequestIds;
  readonly publicUrl: string | undefined;
  /** The gateway's own scheme, for links without a public URL. */
  readonly scheme: "http" | "https";
  readonly exposesUpstream: boolean;
  readonly logRequest: LogRequest;
  readonly openMemory: () => RequestMemory;
  /** `InFlight` (app/in-flight.ts). */
  readonly inFlight: RequestsInFlight;
}

interface RequestsInFlight {
  begin(request: Arrival): void;
  note(request: Arrival): void;
  end(request: Arrival): void;
}

/** Gives the request its id, and settles it once, however it ends. */
export function beginRequest(request: Request, response: Response, options: BeginOptions): void {
  const { requestIds, now, publicUrl, scheme, exposesUpstream, openMemory } = options;
  const lifetime = new RequestLifetime();
  const summary = new RequestSummary();
  const id = requestIds.next();
  let finished: Promise<void> | undefined;
  const arrival: Arrival = {
    id,
    startedAt: now(),
    arrivedAt: Date.now(),
    isHead: request.method === "HEAD",
    clientRequestId: clientRequestId(request),
    origin: publicUrl ?? `${scheme}://${hostOf(request)}`,
    signal: lifetime.signal,
    memory: openMemory(),
    exposesUpstream,
    headers: ["x-request-id", id],
    lifetime,
    summary,
    place: { index: -1, turn: 0 },
    onActive: () => options.inFlight.note(arrival),
    finish: (status) => {
      finished ??= finishRequest(arrival, lifetime.hasCallerLeft ? 499 : status, options);
      return finished;
    },
    noteAttempt: () => noteAttempt(arrival, options),
  };
  setArrival(response, arrival);
  options.inFlight.begin(arrival);
  const { method, url } = request;
  // The only listener for the end of a response. Anything else that must happen then is an action of its lifetime.
  response.once("close", () => {
    lifetime.close();
    if (!response.writableFinished) {
      summary.errorCode ??= "caller_left";
      lifetime.abort(new CallerLeftError());
    }
    const status = response.writableFinished ? response.statusCode : 499;
    options.logRequest({ arrival, summary, method, url, status, ms: now() - arrival.startedAt });
    const end = () => {
      lifetime.end();
      arrival.memory.release();
      options.inFlight.end(arrival);
    };
    if (finished !== undefined && !lifetime.hasBackgroundWork) return end();
    // Work that goes on without the caller is billed, and its cost is known only at its end.
    void lifetime
      .untilIdle()
      .then(() => arrival.finish(status))
      .finally(end);
  });
}

/** The host becomes part of links, so a header that is not a valid host is ignored. */
function hostOf(request: Request): string {
  const host = request.headers.host ?? "";
  return /^[\w.-]+(:\d+)?$|^\[[0-9a-f:.]+\](:\d+)?$/i.test(host) ? host : "127.0.0.1";
}

const clientRequestIdLengthMax = 512;

function clientRequestId(request: Request): string | undefined {
  const id = request.headers["x-client-request-id"];
  return typeof id === "string" ? id.slice(0, clientRequestIdLengthMax) : undefined;
}

/** Longer waits overflow a timer. */
const timerMsMax = 2 ** 31;

/** The header in which a caller may set a shorter timeout than the gateway's. */
export const timeoutHeader = "x-gateway-timeout-ms";

/** Starts the timeout that the caller has set. The validator explains an invalid number. */
export function startTimeout({ headers }: Pick<Request, "headers">, lifetime: RequestLifetime): void {
  const timeoutMs = Number(headers[timeoutHeader]);
  if (!(timeoutMs >= 1 && timeoutMs < timerMsMax)) return;
  const timer = setTimeout(() => {
    lifetime.abort(
      new GatewayError(
        "upstream_timeout",
        `There was no response within ${timeoutMs} ms, the timeout set by ${timeoutHeader}.`,
      ),
    );
  }, timeoutMs);
  lifetime.whenClosed(() => clearTimeout(timer));
}
