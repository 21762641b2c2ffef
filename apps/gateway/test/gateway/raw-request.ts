import { connect } from "node:net";

/** A response, read from a socket without the help of an HTTP client. */
export interface RawResponse {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RawOptions {
  /** The caller's behaviour after the last byte: it waits, closes its half of the connection, or leaves. */
  readonly after?: "wait" | "half-close" | "leave";
  /** Bytes in one packet. All in one by default. */
  readonly packetBytes?: number;
}

/** Only a hang takes this long: on a busy machine, callers wait for seconds behind each other. */
const responseMsMax = 120_000;

/** Writes bytes to a socket and reads the first response. Undefined when the connection closed without one. */
export function sendRaw(
  port: number,
  bytes: Buffer | string,
  { after = "wait", packetBytes = Number.POSITIVE_INFINITY }: RawOptions = {},
): Promise<RawResponse | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    let received = Buffer.alloc(0);
    const timer = setTimeout(() => {
      socket.destroy();
      const said = received.toString("latin1", 0, 200);
      reject(new Error(`no response within ${responseMsMax} ms, but: '${said}'`));
    }, responseMsMax);
    const end = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(parseResponse(received, { closed: true }));
    };
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (parseResponse(received, { closed: false }) !== undefined) end();
    });
    // A gateway that has sent its whole response may reset the connection of a caller that still writes.
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

/** The first response that is not `100 Continue`, when it is complete. */
export function parseResponse(
  received: Buffer,
  connection: { readonly closed: boolean },
): RawResponse | undefined {
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd === -1) return undefined;
  const [statusLine = "", ...lines] = received.toString("latin1", 0, headEnd).split("\r\n");
  const status = Number(statusLine.split(" ")[1]);
  const rest = received.subarray(headEnd + 4);
  if (status === 100) return parseResponse(rest, connection);
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
