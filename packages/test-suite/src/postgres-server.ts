import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import pg from "pg";

export const postgresServer = { host: "127.0.0.1", port: 5432 };
const adminUrl = `postgres://postgres@${postgresServer.host}:${postgresServer.port}/test`;

/** Whether a server is reachable. */
export const hasPostgres = await new Promise<boolean>((resolve) => {
  const socket = connect(postgresServer.port, postgresServer.host, () => resolve(true));
  socket.on("error", () => resolve(false));
  socket.setTimeout(30_000, () => resolve(false));
  socket.on("connect", () => socket.destroy());
});

/** Warns that a suite is skipped; in CI, which requires a server, it throws. */
export function reportMissingPostgres(name: string): void {
  const { host, port } = postgresServer;
  if (process.env.CI === "true") throw new Error(`No PostgreSQL at ${host}:${port}, and CI requires one.`);
  console.warn(`Skipped, because no PostgreSQL is reachable at ${host}:${port}: ${name}`);
}

export interface PostgresDatabase {
  readonly url: string;
  /** Closes every connection to it and drops it. */
  drop(): Promise<void>;
}

/** Creates a database for one suite: the server is shared with everything else on the machine. */
export async function createPostgresDatabase(): Promise<PostgresDatabase> {
  const name = `gateway_test_${randomUUID().replaceAll("-", "")}`;
  await administer(`create database ${name}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => administer(`drop database ${name} with (force)`) };
}

/** Runs a statement in another database of the server. */
export async function administer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
