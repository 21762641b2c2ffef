import type { IncomingHttpHeaders } from "node:http";
import { createServer, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";

export interface SecureUpstream {
  readonly baseUrl: string;
  readonly port: number;
  /** The headers of each request. */
  readonly received: IncomingHttpHeaders[];
  close(): Promise<void>;
}

/** An embeddings server over TLS that replies to everything with one vector. */
export async function startSecureUpstream(tls: ServerOptions): Promise<SecureUpstream> {
  const received: IncomingHttpHeaders[] = [];
  const server = createServer({ ...tls, keepAliveTimeout: 120_000 }, (request, response) => {
    received.push(request.headers);
    request.resume();
    const vector = { object: "embedding", index: 0, embedding: [1, 0] };
    response.setHeader("content-type", "application/json").end(JSON.stringify({ data: [vector] }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `https://127.0.0.1:${port}/v1`,
    port,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
