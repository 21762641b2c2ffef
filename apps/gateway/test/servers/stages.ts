import {
  createPostgresDatabase,
  hasPostgres,
  reportMissingPostgres,
} from "@model-gateway/test-suite/postgres-server";
import { tier } from "@model-gateway/test-suite/tier";
import { Redis } from "ioredis";
import { describe } from "vitest";
import { hasRedis, redisServer, reportMissingRedis } from "./redis-server.js";

/** Storage of a gateway. */
export interface Stage {
  readonly name: string;
  /** Whether other processes share it. */
  readonly isShared: boolean;
  open(): Promise<OpenStage>;
}

export interface OpenStage {
  /** Environment variables that point a gateway to it. */
  readonly environment: Readonly<Record<string, string>>;
  /** @param ids Keys and models that were used: others share the servers, so only these are removed. */
  close(ids?: readonly string[]): Promise<void>;
}

/** The default storage of every gateway. */
export const embedded: Stage = {
  name: "SQLite and memory",
  isShared: false,
  open: async () => ({ environment: {}, close: async () => undefined }),
};

const served: Stage = { name: "PostgreSQL and Redis", isShared: true, open: openServers };

/** Runs a suite on the default storage, and on the shared servers. */
export function describeStages(name: string, tests: (stage: Stage) => void): void {
  describe(`${name} on ${embedded.name}`, () => tests(embedded));
  describeServed(`${name} on ${served.name}`, () => tests(served));
}

/** Runs a suite on the default storage in the short tier, and on the servers in the rest. See `packages/test-suite`. */
export function describeStageOfTier(name: string, tests: (stage: Stage) => void): void {
  if (tier !== "rest") describe(`${name} on ${embedded.name}`, () => tests(embedded));
  if (tier !== "short") describeServed(`${name} on ${served.name}`, () => tests(served));
}

/** Tests that need both servers. */
export function describeServed(name: string, tests: () => void): void {
  if (!hasPostgres) reportMissingPostgres(name);
  if (!hasRedis) reportMissingRedis(name);
  describe.skipIf(!hasPostgres || !hasRedis)(name, tests);
}

/** A new database, and the shared Redis. */
export async function openServers(): Promise<OpenStage> {
  const database = await createPostgresDatabase();
  const redisUrl = `redis://${redisServer.host}:${redisServer.port}`;
  return {
    environment: { DATABASE_URL: database.url, REDIS_URL: redisUrl },
    close: async (ids = []) => {
      await database.drop();
      await forget(redisUrl, ids);
    },
  };
}

async function forget(redisUrl: string, ids: readonly string[]): Promise<void> {
  const redis = new Redis(redisUrl);
  for (const id of ids) {
    const stream = redis.scanStream({ match: `mg:*:${id}*`, count: 1000 });
    for await (const keys of stream) if (keys.length > 0) await redis.unlink(keys);
  }
  redis.disconnect();
}
