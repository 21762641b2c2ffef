import { connect } from "node:net";
import { describe } from "vitest";

export const redisServer = { host: "127.0.0.1", port: 6379 };

/** Whether a server is reachable. */
export const hasRedis = await new Promise<boolean>((resolve) => {
  const socket = connect(redisServer.port, redisServer.host, () => resolve(true));
  socket.on("error", () => resolve(false));
  socket.setTimeout(30_000, () => resolve(false));
  socket.on("connect", () => socket.destroy());
});

/** Warns that a suite is skipped; in CI, which requires a server, it throws. */
export function reportMissingRedis(name: string): void {
  const { host, port } = redisServer;
  if (process.env.CI === "true") throw new Error(`No Redis at ${host}:${port}, and CI requires one.`);
  console.warn(`Skipped, because no Redis is reachable at ${host}:${port}: ${name}`);
}

/** Tests that need a real Redis. */
export function describeWithRedis(name: string, tests: (redis: typeof redisServer) => void): void {
  if (!hasRedis) reportMissingRedis(name);
  describe.skipIf(!hasRedis)(name, () => tests(redisServer));
}
