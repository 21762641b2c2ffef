import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A receiver's treatment of one request: a status, or one of the ways to misbehave. */
export type Manner =
  | number
  | "stall"
  | "cut"
  | "garbage"
  | "endless-body"
  | "huge-headers"
  | { readonly redirectTo: string };

export interface ReceivedEvent {
  readonly path: string;
  readonly id: string;
  readonly isSigned: boolean;
  readonly body: {
    readonly type: string;
    readonly timestamp: string;
    readonly data: Record<string, unknown>;
  };
}

export interface Receiver {
  readonly url: string;
  /** The secret of its signatures, as an operator writes it. */
  readonly secret: string;
  readonly events: ReceivedEvent[];
  /** For the next requests, in order. After the last, 204. */
  readonly manners: Manner[];
  /** Replies to the requests that it has stalled. */
  release(): void;
  close(): Promise<void>;
}

/** A real HTTP server that receives events, verifies their signatures by itself, and misbehaves on demand. */
export async function startReceiver(): Promise<Receiver> {
  const secret = `whsec_${Buffer.from("a secret of thirty-two characters").toString("base64")}`;
  const events: ReceivedEvent[] = [];
  const manners: Manner[] = [];
  const stalled: ServerResponse[] = [];
  const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
    void text(request)
      .then((body) => {
        events.push({
          path: request.url ?? "",
          id: String(request.headers["webhook-id"]),
          isSigned: isSigned(request, body, secret),
          body: JSON.parse(body),
        });
        const manner = manners.shift() ?? 204;
        if (manner === "stall") stalled.push(response);
        else respond(response, manner);
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/path-secret?token=query-secret`,
    secret,
    events,
    manners,
    release: () => {
      for (const response of stalled.splice(0)) respond(response, 204);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function respond(response: ServerResponse, manner: Exclude<Manner, "stall">): void {
  if (manner === "cut") {
    response.destroy();
  } else if (manner === "garbage") {
    response.socket?.end("220 this is not HTTP\r\n\r\n");
  } else if (manner === "huge-headers") {
    response.socket?.end(`HTTP/1.1 200 OK\r\nx: ${"a".repeat(200_000)}\r\ncontent-length: 0\r\n\r\n`);
  } else if (manner === "endless-body") {
    response.writeHead(200);
    const timer = setInterval(() => response.write("x".repeat(8192)), 1);
    response.on("close", () => clearInterval(timer));
  } else if (typeof manner === "object") {
    response.writeHead(307, { location: manner.redirectTo }).end();
  } else {
    response.writeHead(manner).end();
  }
}

/** Follows the text of the standard, not the code under test. */
function isSigned({ headers }: IncomingMessage, body: string, secret: string): boolean {
  const timestamp = Number(headers["webhook-timestamp"]);
  if (!Number.isInteger(timestamp)) return false;
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const expected = createHmac("sha256", key)
    .update([headers["webhook-id"], headers["webhook-timestamp"], body].join("."))
    .digest();
  return String(headers["webhook-signature"])
    .split(" ")
    .some((one) => {
      const [version, signature = ""] = one.split(",");
      const given = Buffer.from(signature, "base64");
      return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
    });
}
