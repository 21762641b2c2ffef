import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { text } from "node:stream/consumers";
import { type ConnectionOptions, connect, type TLSSocket } from "node:tls";
import { testKey } from "./test-gateway.js";

export interface SecureResponse {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  /** Whether the request went over a connection that was open already. */
  readonly isReused: boolean;
  /** The serial number of the certificate on the connection. */
  readonly serialNumber: string;
}

/** A caller with one connection, which it keeps. It trusts one authority. */
export class SecureClient {
  readonly #agent: Agent;

  constructor(ca: string) {
    this.#agent = new Agent({ ca, keepAlive: true, maxSockets: 1 });
  }

  async send(url: string, body?: object): Promise<SecureResponse> {
    const sent = request(url, {
      agent: this.#agent,
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    const { serialNumber } = (response.socket as TLSSocket).getPeerCertificate();
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: await text(response),
      isReused: sent.reusedSocket,
      serialNumber,
    };
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** The serial number of the certificate that a server shows to a new connection. */
export async function shownSerial(url: string, options: ConnectionOptions): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), ...options });
  try {
    await once(socket, "secureConnect");
    return socket.getPeerCertificate().serialNumber;
  } finally {
    socket.destroy();
  }
}
