import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

export interface CutOffProxy {
  readonly url: string;
  /** Drops every connection, old and new, as if the server had been killed. */
  kill(): void;
  revive(): void;
  /** Forwards nothing, and keeps connections open. */
  freeze(): void;
  /** Forwards new connections. Data sent while frozen is lost, and so are its connections. */
  thaw(): void;
  close(): Promise<void>;
}

/** A proxy in front of a real server, which a test can cut off without affecting other tests. */
export async function startCutOffProxy(target: { host: string; port: number }): Promise<CutOffProxy> {
  const sockets = new Set<Socket>();
  let state: "open" | "killed" | "frozen" = "open";
  const server: Server = createServer((client) => {
    if (state === "killed") {
      client.destroy();
      return;
    }
    const upstream = connect(target.port, target.host);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on("data", (chunk: Buffer) => {
        if (state === "open") to.write(chunk);
      });
      from.on("error", () => undefined);
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    kill: () => {
      state = "killed";
      drop();
    },
    revive: () => {
      state = "open";
    },
    freeze: () => {
      state = "frozen";
    },
    thaw: () => {
      state = "open";
      drop();
    },
    close: () =>
      new Promise((resolve) => {
        drop();
        server.close(() => resolve());
      }),
  };
}
