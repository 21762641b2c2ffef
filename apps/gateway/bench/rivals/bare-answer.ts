/**
 * A process: node:http that reads a request for one vector and responds from memory. It reads only the number of the
 * input. No server on node:http can be faster, so this is the upper bound for a cache hit.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Encoding, prepareReplies } from "../upstream/replies.js";
import { inputNumber } from "../workloads/sample-data.js";

const replies = await prepareReplies();

const server = createServer((request, response) => {
  let body: Buffer = Buffer.alloc(0);
  request.on("data", (chunk: Buffer) => {
    body = body.length === 0 ? chunk : Buffer.concat([body, chunk]);
  });
  request.on("end", () => {
    const responseBody = bodyFor(
      inputNumber(body, body.indexOf("#")),
      body.includes('"base64"') ? "base64" : "json",
    );
    response.writeHead(200, { "content-type": "application/json", "content-length": responseBody.length });
    response.end(responseBody);
  });
}).listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("disconnect", () => process.exit());

function bodyFor(number: number, encoding: Encoding): Buffer {
  const reply = replies.embeddings([number], encoding);
  return reply.subarray(reply.indexOf("\r\n\r\n") + 4);
}
