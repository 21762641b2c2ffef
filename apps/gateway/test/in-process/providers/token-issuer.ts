import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { FakeRequest } from "./strict-server.js";

/** The issuer's reply, besides the token itself; undefined if it refuses the request. */
export type Issue = (request: FakeRequest) => object | undefined;

/** A server that issues access tokens. */
export interface TokenIssuer {
  readonly origin: string;
  /** Number of tokens issued. */
  readonly issued: () => number;
  readonly isValid: (authorization: string | undefined) => boolean;
  /** From now on no token is valid that was issued before. */
  readonly revoke: () => void;
  close(): void;
}

export async function startTokenIssuer(issue: Issue): Promise<TokenIssuer> {
  const valid = new Set<string>();
  let issued = 0;
  const server = createServer({ keepAliveTimeout: 120_000 }, async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString("utf8");
    const { method = "", url: path = "", headers } = request;
    const facts = issue({ method, path, headers, text });
    response.writeHead(facts === undefined ? 401 : 200, { "content-type": "application/json" });
    if (facts === undefined) return response.end(JSON.stringify({ error: "invalid_client" }));
    issued += 1;
    valid.add(`Bearer issued-token-${issued}`);
    response.end(JSON.stringify({ access_token: `issued-token-${issued}`, token_type: "Bearer", ...facts }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    issued: () => issued,
    isValid: (authorization) => valid.has(authorization ?? ""),
    revoke: () => valid.clear(),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
