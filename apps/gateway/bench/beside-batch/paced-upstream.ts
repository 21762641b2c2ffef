/** A process: an upstream of fixed capacity. A call takes its time, and one call too many is refused. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { callMs, capacity, inputMs, width } from "./fixed-capacity.js";

let inFlight = 0;
const vector = Array.from({ length: width }, (_, at) => (at === 0 ? 1 : 0));

const server = createServer({ keepAliveTimeout: 120_000 }, async (request, response) => {
  const { input } = (await json(request)) as { readonly input: string | readonly string[] };
  const inputs = typeof input === "string" ? 1 : input.length;
  inFlight += 1;
  const isRefused = inFlight > capacity;
  if (!isRefused) await setTimeout(callMs + inputs * inputMs);
  inFlight -= 1;
  response.writeHead(isRefused ? 429 : 200, { "content-type": "application/json" });
  if (isRefused) response.end(JSON.stringify({ error: { message: "Too many calls at once." } }));
  else
    response.end(
      JSON.stringify({
        object: "list",
        model: "m",
        data: Array.from({ length: inputs }, (_, index) => ({
          object: "embedding",
          index,
          embedding: vector,
        })),
        usage: { prompt_tokens: inputs, total_tokens: inputs },
      }),
    );
}).listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("disconnect", () => process.exit());
