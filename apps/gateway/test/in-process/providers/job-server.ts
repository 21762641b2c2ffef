import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { FakeReply } from "./strict-server.js";

export interface JobRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Parsed JSON, if any. */
  readonly body: unknown;
}

/** A fake provider of jobs. */
export interface JobServer {
  readonly origin: string;
  /** All requests, in order. */
  readonly received: JobRequest[];
  /** The replies to the next requests of a method, before any check. */
  readonly scripted: { readonly method: string; readonly reply: FakeReply }[];
  /** Resolves with the next request that fits. */
  next(fits: (request: JobRequest) => boolean): Promise<JobRequest>;
  close(): void;
}

/** @param answer Checks a request and replies to it. */
export async function startJobServer(
  answer: (request: JobRequest, origin: string) => FakeReply | Promise<FakeReply>,
): Promise<JobServer> {
  const received: JobRequest[] = [];
  const scripted: JobServer["scripted"] = [];
  const waiting = new Set<(request: JobRequest) => void>();
  const server = createServer({ keepAliveTimeout: 120_000 }, async (incoming, response) => {
    const text = Buffer.concat(await incoming.toArray()).toString("utf8");
    const { method = "", url: path = "", headers } = incoming;
    const request = { method, path, headers, body: text === "" ? undefined : JSON.parse(text) };
    received.push(request);
    for (const look of waiting) look(request);
    const script = scripted[0]?.method === method ? scripted.shift() : undefined;
    send(response, script?.reply ?? (await answer(request, origin())));
  }).listen(0, "127.0.0.1");
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await once(server, "listening");
  return {
    origin: origin(),
    received,
    scripted,
    next: (fits) =>
      new Promise((resolve) => {
        const look = (request: JobRequest) => {
          if (!fits(request)) return;
          waiting.delete(look);
          resolve(request);
        };
        waiting.add(look);
      }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function send(response: ServerResponse, { status = 200, headers = {}, body }: FakeReply): void {
  const isRaw = typeof body === "string" || Buffer.isBuffer(body);
  response.writeHead(status, { ...(isRaw ? {} : { "content-type": "application/json" }), ...headers });
  response.end(isRaw ? body : JSON.stringify(body));
}
