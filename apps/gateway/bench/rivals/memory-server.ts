/** A process: the fastest cache that node:http allows. It parses a request, and sends a response that is ready in memory. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createVectors, inputText, vectorIndex } from "../workloads/sample-data.js";

/** As the gateway's: otherwise the kernel makes a crowd of new connections wait for a second. */
const backlog = 4096;

/** As many as the workload that warms up the compilers sends. */
const inputsMax = 4096;

const vectors = createVectors();
const responses = {
  float: prepare((index) => `[${Array.from(vectors[index]?.values ?? [], shortest).join(",")}]`),
  base64: prepare((index) => `"${vectors[index]?.base64}"`),
};

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => respond(Buffer.concat(chunks), response));
}).listen(0, "127.0.0.1", backlog, () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("disconnect", () => process.exit());

function respond(body: Buffer, response: ServerResponse<IncomingMessage>): void {
  const { input, encoding_format: encoding } = JSON.parse(body.toString());
  const found = (encoding === "base64" ? responses.base64 : responses.float).get(input);
  if (found === undefined) response.writeHead(404).end();
  else
    response
      .writeHead(200, { "content-type": "application/json", "content-length": found.length })
      .end(found);
}

/** The response to each input. Inputs with the same vector share one. */
function prepare(write: (index: number) => string): ReadonlyMap<string, Buffer> {
  const usage = '{"prompt_tokens":20,"total_tokens":20}';
  const bodies = vectors.map((_, index) =>
    Buffer.from(
      `{"object":"list","data":[{"object":"embedding","index":0,"embedding":${write(index)}}],"model":"cached","usage":${usage}}`,
    ),
  );
  return new Map(
    Array.from({ length: inputsMax }, (_, number) => [
      inputText(number),
      bodies[vectorIndex(number)] ?? Buffer.alloc(0),
    ]),
  );
}

/** The fewest digits that give the same float32, as the gateway writes them: both send as many bytes. */
function shortest(value: number): string {
  for (let digits = 1; digits < 9; digits += 1) {
    const rounded = Number(value.toPrecision(digits));
    if (Math.fround(rounded) === value) return String(rounded);
  }
  return String(Number(value.toPrecision(9)));
}
