import type { Redis } from "ioredis";
import type { Logger } from "pino";

const reconnectMsMax = 2000;

/** Never waits for Redis: a command that can not be sent now fails now. It goes on trying to connect. */
export async function openRedis(url: string, log: Logger): Promise<Redis> {
  const { Redis } = await import("ioredis");
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: reconnectMsMax,
    retryStrategy: (attempt) => Math.min(attempt * 100, reconnectMsMax),
  });
  let wasReady = true;
  redis.on("ready", () => {
    wasReady = true;
    log.info("Redis is connected.");
  });
  redis.on("error", (failure: Error) => {
    if (wasReady) log.warn({ err: failure }, "Redis is away.");
    wasReady = false;
  });
  return redis;
}
