/**
 * A process: node:http that reads a request for one vector and answers from memory. It looks for the number in the input
 * and at nothing else: nothing that is built on node:http can be faster, whatever it finds in a cache.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Encoding, prepareAnswers } from "../upstream/answers.js";
import { inputNumber } from "../vectors.js";

const answers = await prepareAnswers();

const server = createServer((request, response) => {
  let body: Buffer = Buffer.alloc(0);
  request.on("data", (chunk: Buffer) => {
    body = body.length === 0 ? chunk : Buffer.concat([body, chunk]);
  });
  request.on("end", () => {
    const answer = bodyOf(
      inputNumber(body, body.indexOf("#")),
      body.includes('"base64"') ? "base64" : "json",
    );
    response.writeHead(200, { "content-type": "application/json", "content-length": answer.length });
    response.end(answer);
  });
}).listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("disconnect", () => process.exit());

function bodyOf(number: number, encoding: Encoding): Buffer {
  const whole = answers.embeddings([number], encoding);
  return whole.subarray(whole.indexOf("\r\n\r\n") + 4);
}
