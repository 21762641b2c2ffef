import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

export interface CutOffProxy {
  readonly url: string;
  /** From here on every connection is dropped, old and new, as if the server had been killed. */
  kill(): void;
  revive(): void;
  /** From here on nothing is passed on, and nothing is dropped. */
  freeze(): void;
  /** From here on what is new is passed on; what was said while it was frozen is lost, and its connections with it. */
  thaw(): void;
  close(): Promise<void>;
}

/** Stands between the gateway and a real Redis, so that a test can take it away without harming other tests. */
export async function startCutOffProxy(redis: { host: string; port: number }): Promise<CutOffProxy> {
  const sockets = new Set<Socket>();
  let state: "open" | "killed" | "frozen" = "open";
  const server: Server = createServer((client) => {
    if (state === "killed") {
      client.destroy();
      return;
    }
    const upstream = connect(redis.port, redis.host);
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
