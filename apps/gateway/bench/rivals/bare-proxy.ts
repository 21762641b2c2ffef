/** A process: the smallest proxy in Node. node:http in, undici's `request` out, and a pipe back. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Pool } from "undici";

/** As the gateway's: otherwise the kernel makes a crowd of new connections wait for a second. */
const backlog = 4096;

/** A larger body is streamed. */
const bufferedBytesMax = 1024 * 1024;

const pool = new Pool(`http://127.0.0.1:${process.argv[2]}`, { connections: 256 });
const server = createServer(async (request, response) => {
  const reply = await pool.request({
    path: request.url ?? "/",
    method: "POST",
    headers: {
      "content-type": request.headers["content-type"],
      authorization: request.headers.authorization,
    },
    body: Number(request.headers["content-length"]) > bufferedBytesMax ? request : await readBody(request),
  });
  response.writeHead(reply.statusCode, reply.headers);
  reply.body.pipe(response);
}).listen(0, "127.0.0.1", backlog, () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("disconnect", () => process.exit());

function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => resolve(Buffer.concat(chunks)));
    request.on("error", reject);
  });
}
