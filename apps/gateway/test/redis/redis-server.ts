import { connect } from "node:net";
import { describe } from "vitest";

export const redisServer = { host: "127.0.0.1", port: 6379 };

/** Whether there is a server. Where CI demands one, its absence is a failure. */
export const hasRedis = await new Promise<boolean>((resolve) => {
  const socket = connect(redisServer.port, redisServer.host, () => resolve(true));
  socket.on("error", () => resolve(false));
  socket.setTimeout(1000, () => resolve(false));
  socket.on("connect", () => socket.destroy());
});

/** Says in one line what is left out for want of a server. */
export function reportMissingRedis(name: string): void {
  const { host, port } = redisServer;
  if (process.env.CI === "true") throw new Error(`No Redis at ${host}:${port}, and CI demands one.`);
  console.warn(`Left out, because no Redis is reachable at ${host}:${port}: ${name}`);
}

/** Tests that need a real Redis. */
export function describeWithRedis(name: string, tests: (redis: typeof redisServer) => void): void {
  if (!hasRedis) reportMissingRedis(name);
  describe.skipIf(!hasRedis)(name, () => tests(redisServer));
}
