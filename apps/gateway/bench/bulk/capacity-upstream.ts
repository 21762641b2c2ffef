/**
 * An upstream for embeddings of a fixed capacity: it works on `slots` calls at once, in the order of their arrival, and a
 * call takes longer the more inputs it has. It sends its port to its parent.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { bulkWidth, slots } from "./bulk-load.js";

const callMs = 100;
const inputMs = 2;

const vector = JSON.stringify(Array.from({ length: bulkWidth }, (_, index) => (index === 0 ? 1 : 0)));
const waiting: (() => void)[] = [];
let free = slots;

async function work(inputs: number): Promise<void> {
  if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
  else free -= 1;
  await new Promise((resolve) => setTimeout(resolve, callMs + inputs * inputMs));
  const next = waiting.shift();
  if (next === undefined) free += 1;
  else next();
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", async () => {
    const { input } = JSON.parse(Buffer.concat(chunks).toString()) as { input: readonly string[] };
    await work(input.length);
    const data = input.map((_, index) => `{"object":"embedding","index":${index},"embedding":${vector}}`);
    const usage = `{"prompt_tokens":${input.length},"total_tokens":${input.length}}`;
    response.setHeader("content-type", "application/json");
    response.end(`{"object":"list","data":[${data.join(",")}],"model":"m","usage":${usage}}`);
  });
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
