import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readRequest } from "../../fake-upstream/read-request.mjs";
import type { ReceivedRequest } from "../../fake-upstream/script.js";
import type { FakeReply } from "./strict-server.js";

/** A fake provider whose requests may be forms with files. */
export interface FormServer {
  readonly origin: string;
  /** All requests but those for results, in order. */
  readonly received: ReceivedRequest[];
  /** The replies to the next requests, before any check. */
  readonly scripted: FakeReply[];
  close(): void;
}

export interface FormServerOptions {
  /** Checks a request and replies to it. */
  readonly answer: (request: ReceivedRequest, origin: string) => Promise<FakeReply>;
  /** The header with the key, which must not be sent with a request for a result below `/results/`. */
  readonly keyHeader: string;
  readonly results: ReadonlyMap<string, Buffer>;
}

export async function startFormServer({
  answer,
  keyHeader,
  results,
}: FormServerOptions): Promise<FormServer> {
  const received: ReceivedRequest[] = [];
  const scripted: FakeReply[] = [];
  const replyTo = async (request: ReceivedRequest): Promise<FakeReply> => {
    const [, result] = /^\/results\/(.+)$/.exec(request.path) ?? [];
    if (result !== undefined) {
      const image = request.headers[keyHeader] === undefined ? results.get(result) : undefined;
      return image === undefined ? { status: 404, body: "Gone, or the key has leaked." } : { body: image };
    }
    received.push(request);
    return scripted.shift() ?? answer(request, origin());
  };
  const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) =>
    readRequest(request, async (got) => {
      const { status = 200, headers = {}, body } = await replyTo(got);
      const isRaw = typeof body === "string" || Buffer.isBuffer(body);
      response.writeHead(status, { ...(isRaw ? {} : { "content-type": "application/json" }), ...headers });
      response.end(isRaw ? body : JSON.stringify(body));
    }),
  ).listen(0, "127.0.0.1");
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await once(server, "listening");
  return {
    origin: origin(),
    received,
    scripted,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The names of a request's files. */
export function filesOf({ parts }: ReceivedRequest): string[] {
  return parts.flatMap(({ name, filename }) => (filename === undefined ? [] : [name]));
}

export function fileOf({ parts }: ReceivedRequest, wanted: string): Buffer {
  return parts.find(({ name }) => name === wanted)?.content ?? Buffer.alloc(0);
}
