import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** The traffic between the gateways and one server. */
export interface Traffic {
  /** Times that a client wrote after it had read, or for the first time. Writes that follow each other count once. */
  readonly roundTrips: number;
  /** Bytes to the server. */
  readonly bytesIn: number;
  /** Bytes from the server. */
  readonly bytesOut: number;
  /** Connections that are open now. */
  readonly connections: number;
}

export interface CountingRelay {
  readonly port: number;
  read(): Traffic;
  close(): Promise<void>;
}

/** Forwards connections to a server and counts. It parses nothing, so it works for every protocol. */
export async function startCountingRelay(target: { host: string; port: number }): Promise<CountingRelay> {
  const counts = { roundTrips: 0, bytesIn: 0, bytesOut: 0 };
  const clients = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ ...target, noDelay: true });
    let isServersTurn = false;
    clients.add(client);
    client.on("data", (chunk: Buffer) => {
      if (!isServersTurn) counts.roundTrips += 1;
      isServersTurn = true;
      counts.bytesIn += chunk.length;
      if (!upstream.write(chunk)) pauseUntilDrained(client, upstream);
    });
    upstream.on("data", (chunk: Buffer) => {
      isServersTurn = false;
      counts.bytesOut += chunk.length;
      if (!client.write(chunk)) pauseUntilDrained(upstream, client);
    });
    const end = () => {
      clients.delete(client);
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) socket.on("error", end).on("close", end);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    read: () => ({ ...counts, connections: clients.size }),
    close: async () => {
      for (const client of clients) client.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function pauseUntilDrained(from: Socket, to: Socket): void {
  from.pause();
  to.once("drain", () => from.resume());
}
