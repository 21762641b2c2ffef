import type { Request, Response } from "express";
import { type OpenOptions, openArrival } from "../../execution/open-arrival.js";
import { CallerLeftError } from "../../execution/request-lifetime.js";
import { RequestSummary } from "../../execution/request-summary.js";
import type { LogRequest } from "../../telemetry/log.js";
import { setArrival } from "./arrival.js";
import type { RequestIds } from "./request-id.js";

export interface BeginOptions extends OpenOptions {
  readonly requestIds: RequestIds;
  readonly publicUrl: string | undefined;
  /** The gateway's own scheme, for links without a public URL. */
  readonly scheme: "http" | "https";
  readonly logRequest: LogRequest;
}

/** Gives the request its id, and settles it once, however it ends. */
export function beginRequest(request: Request, response: Response, options: BeginOptions): void {
  const { requestIds, now, publicUrl, scheme } = options;
  const { method, url } = request;
  const summary = new RequestSummary();
  const asked = {
    id: requestIds.next(),
    isHead: method === "HEAD",
    clientRequestId: clientRequestId(request),
    origin: publicUrl ?? `${scheme}://${hostOf(request)}`,
    summary,
  };
  const arrival = openArrival(asked, options);
  const { lifetime } = arrival;
  setArrival(response, arrival);
  // The only listener for the end of a response. Anything else that must happen then is an action of its lifetime.
  response.once("close", () => {
    lifetime.close();
    if (!response.writableFinished) {
      summary.errorCode ??= "caller_left";
      lifetime.abort(new CallerLeftError());
    }
    const status = response.writableFinished ? response.statusCode : 499;
    options.logRequest({ arrival, summary, method, url, status, ms: now() - arrival.startedAt });
    void arrival.end(status);
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
