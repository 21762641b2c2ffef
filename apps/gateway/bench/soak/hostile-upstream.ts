/** A process: an upstream whose every reply is a flood, one kind after the other. */
import { type AddressInfo, createServer, type Socket } from "node:net";
import { drained } from "./drained.js";

/** The reply of each connection. A gateway must end all of them by itself. */
const floods: readonly { readonly head: string; readonly part: Buffer }[] = [
  // A JSON reply without an end.
  { head: chunkedHead("application/json", '{"object":"list","data":['), part: chunk("[1],".repeat(16_000)) },
  // One value without an end, in chunks of a byte.
  { head: chunkedHead("application/json", '{"data":[{"embedding":"'), part: chunk("A", 10_000) },
  // Events whose data has no end, in lines of a byte.
  { head: chunkedHead("text/event-stream", "event: image\n"), part: chunk("data:x\n".repeat(9000)) },
  // An error whose message has no end.
  {
    head: chunkedHead("application/json", '{"error":{"message":"', "400 Bad Request"),
    part: chunk("too many inputs 1".repeat(4000)),
  },
  // Informational replies only.
  { head: "", part: Buffer.from("HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".repeat(1000)) },
];
/** A gateway that takes everything is cut off here, and the request counts as one that it did not end. */
const floodBytesMax = 2 * 1024 ** 3;

let connections = 0;
const server = createServer({ noDelay: true }, (socket) => {
  const flood = floods[connections % floods.length];
  connections += 1;
  socket.once("data", () => void (flood && send(socket, flood)));
  socket.on("error", () => socket.destroy());
}).listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("disconnect", () => process.exit());

async function send(socket: Socket, { head, part }: { head: string; part: Buffer }): Promise<void> {
  socket.write(head);
  for (let bytes = 0; bytes < floodBytesMax && !socket.destroyed; bytes += part.length) {
    if (!socket.write(part)) await drained(socket);
  }
  socket.destroy();
}

function chunkedHead(type: string, start: string, status = "200 OK"): string {
  return `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ntransfer-encoding: chunked\r\n\r\n${chunk(start)}`;
}

function chunk(text: string, times = 1): Buffer {
  return Buffer.from(`${text.length.toString(16)}\r\n${text}\r\n`.repeat(times));
}
