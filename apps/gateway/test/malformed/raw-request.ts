import { connect } from "node:net";

/** What came back on a socket, read without the help of an HTTP client. */
export interface RawAnswer {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RawOptions {
  /** What the caller does when all is sent: waits, says that no more will come, or leaves. */
  readonly after?: "wait" | "half-close" | "leave";
  /** How many bytes go in one packet. All in one unless told. */
  readonly packetBytes?: number;
}

const patienceMs = 8000;

/** Writes bytes to a socket and reads the first answer. Undefined when the connection closed without one. */
export function sendRaw(
  port: number,
  bytes: Buffer | string,
  { after = "wait", packetBytes = Number.POSITIVE_INFINITY }: RawOptions = {},
): Promise<RawAnswer | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    let received = Buffer.alloc(0);
    const patience = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no answer within ${patienceMs} ms, but: '${received.toString("latin1", 0, 200)}'`));
    }, patienceMs);
    const end = () => {
      clearTimeout(patience);
      socket.destroy();
      resolve(parseAnswer(received, { closed: true }));
    };
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (parseAnswer(received, { closed: false }) !== undefined) end();
    });
    // A gateway that has said all it has to say may reset the connection on a caller that still writes.
    socket.on("error", end);
    socket.on("close", end);
    void writePackets(socket, Buffer.from(bytes), packetBytes).then(() => {
      if (after === "half-close") socket.end();
      if (after === "leave") end();
    });
  });
}

async function writePackets(
  socket: ReturnType<typeof connect>,
  bytes: Buffer,
  packetBytes: number,
): Promise<void> {
  for (let start = 0; start < bytes.length; start += packetBytes) {
    if (socket.destroyed) return;
    const packet = bytes.subarray(start, Math.min(bytes.length, start + packetBytes));
    await new Promise<void>((resolve) => socket.write(packet, () => resolve()));
  }
}

/** The first answer that is not `100 Continue`, when it is whole. */
export function parseAnswer(
  received: Buffer,
  connection: { readonly closed: boolean },
): RawAnswer | undefined {
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd === -1) return undefined;
  const [statusLine = "", ...lines] = received.toString("latin1", 0, headEnd).split("\r\n");
  const status = Number(statusLine.split(" ")[1]);
  const rest = received.subarray(headEnd + 4);
  if (status === 100) return parseAnswer(rest, connection);
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(":")).toLowerCase(),
      line.slice(line.indexOf(":") + 1).trim(),
    ]),
  );
  const length = headers["content-length"];
  if (length === undefined && !connection.closed) return undefined;
  if (length !== undefined && rest.length < Number(length) && !connection.closed) return undefined;
  return {
    status,
    headers,
    body: rest.toString("utf8", 0, length === undefined ? rest.length : Number(length)),
  };
}
