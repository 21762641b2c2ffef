import { type ChildProcess, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import pg from "pg";
import {
  freePort,
  nextMessage,
  nodeProgram,
  startProgram,
  stopProgram,
  waitUntilListening,
} from "../processes.js";
import { type Cost, mapServices, type ServiceCost } from "./constants.js";
import { type CountingRelay, startCountingRelay } from "./counting-relay.js";
import { CpuTimes } from "./cpu-time.js";

/** As in the tests: a server on this machine that trusts local connections. */
const postgresServer = { host: "127.0.0.1", port: 5432 };
const administrationUrl = `postgres://postgres@${postgresServer.host}:${postgresServer.port}/postgres`;

/** A PostgreSQL database, a Redis and a bucket for one run, with a relay in front of each that counts. */
export interface BackingServices {
  /** Addresses of the relays. */
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly bucketUrl: string;
  /** Everything since the start. */
  read(): Promise<Cost>;
  /** Connections of the gateways to PostgreSQL that are open now. */
  postgresConnections(): number;
  /** Runs a statement in the database, past the relay. */
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** The database past the relay. */
  readonly directUrl: string;
  close(): Promise<void>;
}

export async function openBackingServices(): Promise<BackingServices> {
  const postgres = await openPostgres();
  const redis = await openRedis();
  const bucket = startProgram(nodeProgram("capacity/bucket.js"));
  const { port: bucketPort } = (await nextMessage(bucket)) as { port: number };
  const bucketRelay = await startCountingRelay({ host: "127.0.0.1", port: bucketPort });
  const redisTimes = new CpuTimes();
  return {
    databaseUrl: postgres.relayedUrl,
    redisUrl: `redis://127.0.0.1:${redis.relay.port}`,
    bucketUrl: `http://127.0.0.1:${bucketRelay.port}`,
    directUrl: postgres.directUrl,
    postgresConnections: () => postgres.relay.read().connections,
    query: postgres.query,
    read: async () => {
      redisTimes.add([redis.child.pid ?? 0]);
      const costs = {
        postgres: costOf(postgres.relay, await postgres.cpuTimeUs()),
        redis: costOf(redis.relay, redisTimes.totalUs),
        bucket: costOf(bucketRelay, 0),
      };
      return mapServices((name) => costs[name]);
    },
    close: async () => {
      await Promise.all([postgres.relay, redis.relay, bucketRelay].map((relay) => relay.close()));
      await Promise.all([redis.child, bucket].map(stopProgram));
      await postgres.drop();
    },
  };
}

function costOf(relay: CountingRelay, cpuUs: number): ServiceCost {
  const { roundTrips, bytesIn, bytesOut } = relay.read();
  return { roundTrips, bytesIn, bytesOut, cpuUs };
}

/** A database on the server, which others may use at the same time: only the processes of this database are measured. */
async function openPostgres() {
  const name = `gateway_bench_${randomBytes(8).toString("hex")}`;
  const administration = new pg.Client({ connectionString: administrationUrl });
  await administration.connect();
  await administration.query(`create database ${name}`);
  const relay = await startCountingRelay(postgresServer);
  const urlAt = (port: number) => `postgres://postgres@127.0.0.1:${port}/${name}`;
  const directUrl = urlAt(postgresServer.port);
  const direct = new pg.Client({ connectionString: directUrl, application_name: "bench" });
  await direct.connect();
  const times = new CpuTimes();
  return {
    relay,
    directUrl,
    relayedUrl: urlAt(relay.port),
    query: async <Row extends object>(sql: string, values: readonly unknown[] = []) =>
      (await direct.query<Row>(sql, [...values])).rows,
    /** The processes that serve the gateways. Writer, checkpointer and autovacuum serve the whole server and are not in it. */
    cpuTimeUs: async () => {
      const { rows } = await administration.query<{ pid: number }>(
        "select pid from pg_stat_activity where datname = $1 and application_name = 'model-gateway'",
        [name],
      );
      times.add(rows.map(({ pid }) => pid));
      return times.totalUs;
    },
    drop: async () => {
      await direct.end();
      await administration.query(`drop database ${name} with (force)`);
      await administration.end();
    },
  };
}

/** Its own server, so that no other load is in its CPU time. It keeps nothing on disk. */
async function openRedis(): Promise<{ readonly child: ChildProcess; readonly relay: CountingRelay }> {
  if (spawnSync("redis-server", ["--version"]).status !== 0)
    throw new Error("This measurement needs redis-server in the PATH, and a PostgreSQL at 127.0.0.1:5432.");
  const port = await freePort();
  const child = startProgram({
    command: "redis-server",
    arguments: ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],
  });
  await waitUntilListening(port, child);
  return { child, relay: await startCountingRelay({ host: "127.0.0.1", port }) };
}
