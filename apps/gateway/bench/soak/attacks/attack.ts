import { type IncomingMessage, request } from "node:http";
import { connect, type Socket } from "node:net";

/** One attempt to take more than a share. */
export interface Attack {
  readonly name: string;
  /** Attempts at the same time, and the time between their beginnings. */
  readonly atOnce: number;
  readonly everyMs: number;
  /** Makes the attempt with this number. Resolves with what came of it, for the report. */
  readonly run: (target: Target, number: number) => Promise<string>;
  /** Its outcomes. Anything else fails the soak. */
  readonly expected: RegExp;
}

export interface Target {
  readonly port: number;
  /** Absent for a stranger. */
  readonly key?: string;
}

export interface Sent {
  readonly path: string;
  readonly contentType?: string;
  readonly body?: Buffer | string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Received {
  readonly status: number;
  readonly body: Buffer;
}

/** Sends a request with the key of the attack, on a separate connection. */
export function send({ port, key }: Target, { path, contentType, body, headers }: Sent): Promise<Received> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      port,
      path,
      agent: false,
      method: body === undefined ? "GET" : "POST",
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(contentType === undefined ? {} : { "content-type": contentType }),
        ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }),
        ...headers,
      },
    });
    outgoing.on("response", (response) => void readAll(response).then(resolve, reject));
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

async function readAll(response: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode ?? 0, body: Buffer.concat(chunks) };
}

/** The status, with the code of an error. */
export function outcomeOf({ status, body }: Received): string {
  const code = /"code":\s*"([a-z_]+)"/.exec(body.toString("latin1", 0, 2000))?.[1];
  return status < 400 || code === undefined ? String(status) : `${status} ${code}`;
}

/** A connection that HTTP clients would not make. */
export function openSocket({ port }: Target): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => resolve(socket));
    socket.once("error", reject);
    socket.on("error", () => socket.destroy());
  });
}

/** The head of a request with the key of the attack. */
export function headOf(
  { key }: Target,
  path: string,
  headers: Readonly<Record<string, string | number>>,
): string {
  const lines = Object.entries({ host: "gateway", authorization: `Bearer ${key}`, ...headers });
  return `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
}

/** Resolves when the connection is closed, or with the status of a response, or when the time is over. */
export function outcomeOfSocket(socket: Socket, waitMs: number): Promise<string> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => settle(`open after ${waitMs / 1000} s`), waitMs);
    let start = "";
    const settle = (outcome: string) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(outcome);
    };
    socket.on("data", (chunk: Buffer) => {
      if (start.length < 12) start += chunk.toString("latin1", 0, 12);
    });
    socket.once("close", () => settle(start === "" ? "closed" : start.slice(9, 12)));
  });
}
