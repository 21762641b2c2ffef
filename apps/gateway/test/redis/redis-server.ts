import { connect } from "node:net";
import { describe } from "vitest";

const server = { host: "127.0.0.1", port: 6379 };
const isReachable = await new Promise<boolean>((resolve) => {
  const socket = connect(server.port, server.host, () => resolve(true));
  socket.on("error", () => resolve(false));
  socket.setTimeout(1000, () => resolve(false));
  socket.on("connect", () => socket.destroy());
});

/** Tests that need a real Redis. Where there is none the run says so; where CI demands one, its absence is a failure. */
export function describeWithRedis(name: string, tests: (redis: typeof server) => void): void {
  if (isReachable) {
    describe(name, () => tests(server));
    return;
  }
  if (process.env.CI === "true")
    throw new Error(`No Redis at ${server.host}:${server.port}, and CI demands one.`);
  console.warn(`Left out, because no Redis is reachable at ${server.host}:${server.port}: ${name}`);
  describe.skipIf(true)(name, () => tests(server));
}
