import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";

/** PostgreSQL with the extension pgvector, compiled to WebAssembly, for one connection at a time. */
export async function startPgvector(): Promise<{ readonly url: string; close(): Promise<void> }> {
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
