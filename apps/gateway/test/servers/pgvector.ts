import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { createPostgresDatabase, hasPostgres } from "@model-gateway/test-suite/postgres-server";
import pg from "pg";
import { afterAll, beforeAll, describe } from "vitest";

/** A database with pgvector. */
export interface PgvectorDatabase {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Runs a suite on pgvector in WebAssembly, and on the PostgreSQL server of this machine if it has the extension, such as
 * Debian's package postgresql-15-pgvector. The title of the second one says if it has not.
 */
export function describePgvector(name: string, suite: (database: () => PgvectorDatabase) => void): void {
  const databases = [
    { title: "in WebAssembly", start: startPgvector, isSkipped: false },
    {
      title: serverHasPgvector ? "of the server" : "of the server, which has no extension called vector",
      start: startServerDatabase,
      isSkipped: !serverHasPgvector,
    },
  ];
  for (const { title, start, isSkipped } of databases)
    describe.skipIf(isSkipped)(`${name} ${title}`, () => {
      let database: PgvectorDatabase | undefined;
      beforeAll(async () => {
        database = await start();
      });
      afterAll(() => database?.close());
      suite(() => {
        if (database === undefined) throw new Error("The database is there in tests and hooks only.");
        return database;
      });
    });
}

async function startServerDatabase(): Promise<PgvectorDatabase> {
  const { url, drop } = await createPostgresDatabase();
  return { url, close: drop };
}

const serverHasPgvector = hasPostgres && (await hasExtension());

async function hasExtension(): Promise<boolean> {
  const database = await createPostgresDatabase();
  const client = new pg.Client({ connectionString: database.url });
  try {
    await client.connect();
    const { rows } = await client.query("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'");
    return rows.length > 0;
  } finally {
    await client.end();
    await database.drop();
  }
}

/** PostgreSQL with the extension pgvector, compiled to WebAssembly, for one connection at a time. */
export async function startPgvector(): Promise<PgvectorDatabase> {
  const database = await PGlite.create({ extensions: { vector } });
  const server = createServer((socket) => void serve(socket, database).catch(() => socket.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    close: async () => {
      server.close();
      await database.close();
    },
  };
}

/**
 * Passes on whole messages: a type of one byte, which the first one lacks, then the length of the rest.
 * https://www.postgresql.org/docs/current/protocol-overview.html
 */
async function serve(socket: Socket, database: PGlite): Promise<void> {
  let received = Buffer.alloc(0);
  let typeBytes = 0;
  for await (const chunk of socket) {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      if (received.length < typeBytes + 4) break;
      const length = typeBytes + received.readInt32BE(typeBytes);
      if (received.length < length) break;
      socket.write(await database.execProtocolRaw(received.subarray(0, length)));
      received = received.subarray(length);
      typeBytes = 1;
    }
  }
}
