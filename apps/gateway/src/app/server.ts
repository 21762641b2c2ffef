import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Config } from "../config/config.js";
import { originForm } from "../http/express-app.js";
import { writeMalformedHttp } from "../http/response/write-error.js";
import type { Gateway } from "./app.js";

export interface RunningGateway {
  readonly url: string;
  /** How many requests have come and not been answered. */
  readonly underWay: () => number;
  /** Takes no new connections, lets requests under way finish within the limit, then closes everything. */
  stop(): Promise<void>;
}

const serverOptions = {
  maxHeaderSize: 64 * 1024,
  keepAliveTimeout: 65_000,
  requestTimeout: 300_000,
  // A request without a host is refused by the gateway, in the form of every other error.
  requireHostHeader: false,
};

/**
 * Puts a gateway on the network.
 *
 * @param onWork Told of each request that is more than a look at something, as probes are, before anything is done.
 */
export async function startServer(
  gateway: Gateway,
  config: Config,
  onWork: () => void = () => undefined,
): Promise<RunningGateway> {
  const server = createServer({ ...serverOptions, ...gateway.classes });
  const connections = new Connections(server);
  let isStopping = false;
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.method === "POST") onWork();
    request.url = originForm(request.url ?? "/");
    connections.begin(response);
    if (isStopping) connections.closeAfter(response);
    gateway.handle(response);
  };
  server.on("request", handle);
  // The body is asked for once the caller is known, and not before.
  server.on("checkContinue", handle);
  // An expectation that nobody knows may be ignored; Node's own 417 has neither an id nor a body.
  server.on("checkExpectation", handle);
  server.on("clientError", (failure, socket) => {
    // In the middle of an answer another one would be taken for a part of it.
    if (connections.isAnswering(socket as Socket)) socket.destroy();
    else writeMalformedHttp(failure, socket as Socket);
  });
  await listen(server, config);
  return {
    url: urlOf(server),
    underWay: () => connections.underWay,
    stop: async () => {
      isStopping = true;
      gateway.beginStop();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      connections.closeWhenIdle();
      const timer = setTimeout(() => server.closeAllConnections(), config.limits.stopMs);
      await closed;
      clearTimeout(timer);
      await gateway.close();
    },
  };
}

function listen(server: Server, { host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  const host = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}

/** The open connections of a server, and the answers under way on each. */
export class Connections {
  readonly #responses = new Map<Socket, Set<ServerResponse>>();
  #underWay = 0;

  constructor(server: Server) {
    server.on("connection", (socket: Socket) => {
      const responses = new Set<ServerResponse>();
      this.#responses.set(socket, responses);
      socket.once("close", () => {
        this.#responses.delete(socket);
        for (const response of responses) if (response.socket === null) close(response);
      });
    });
  }

  get underWay(): number {
    return this.#underWay;
  }

  begin(response: ServerResponse): void {
    const responses = this.#responses.get(response.req.socket);
    this.#underWay += 1;
    responses?.add(response);
    response.once("close", () => {
      this.#underWay -= 1;
      responses?.delete(response);
    });
  }

  isAnswering(socket: Socket): boolean {
    return [...(this.#responses.get(socket) ?? [])].some((response) => response.headersSent);
  }

  /**
   * Closes each connection when the last answer on it is over. Node takes one that has not said anything for busy, and
   * keeps one alive whose answer was under way, so that either would hold up a stop until its limit.
   */
  closeWhenIdle(): void {
    for (const [socket, responses] of this.#responses) {
      for (const response of responses) this.closeAfter(response);
      this.#closeIfIdle(socket);
    }
  }

  closeAfter(response: ServerResponse): void {
    const { socket } = response.req;
    if (!response.headersSent) response.setHeader("connection", "close");
    response.once("close", () => setImmediate(() => this.#closeIfIdle(socket)));
  }

  #closeIfIdle(socket: Socket): void {
    if (this.#responses.get(socket)?.size === 0) socket.destroySoon();
  }
}

/**
 * An answer to a request that came before the one ahead of it was answered has no connection yet, and Node never tells it
 * that the connection is gone.
 */
function close(response: ServerResponse): void {
  response.destroy();
  response.emit("close");
}
