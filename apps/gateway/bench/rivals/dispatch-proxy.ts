/** A process: the bare proxy with undici's `dispatch` instead of `request`: no stream objects, no promise. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Dispatcher, Pool } from "undici";

/** A larger body is streamed. */
const bufferedBytesMax = 1024 * 1024;

const pool = new Pool(`http://127.0.0.1:${process.argv[2]}`, { connections: 256 });
const server = createServer((request, response) => {
  const options = {
    path: request.url ?? "/",
    method: "POST",
    headers: {
      "content-type": request.headers["content-type"],
      authorization: request.headers.authorization,
    },
  } as const;
  if (Number(request.headers["content-length"]) > bufferedBytesMax) {
    pool.dispatch({ ...options, body: request }, forwardTo(response));
    return;
  }
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => pool.dispatch({ ...options, body: Buffer.concat(chunks) }, forwardTo(response)));
}).listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("disconnect", () => process.exit());

function forwardTo(response: ServerResponse): Dispatcher.DispatchHandler {
  return {
    onRequestStart: () => undefined,
    onResponseStart: (_controller, status, headers) => {
      response.writeHead(status, headers);
    },
    onResponseData: (controller, chunk) => {
      if (response.write(chunk)) return;
      controller.pause();
      response.once("drain", () => controller.resume());
    },
    onResponseEnd: () => {
      response.end();
    },
    onResponseError: () => {
      response.destroy();
    },
  };
}
