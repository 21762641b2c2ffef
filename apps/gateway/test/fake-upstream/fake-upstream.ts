import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerEmbeddings } from "./embeddings.js";
import { answerImages } from "./images.js";
import { type FormPart, readParts } from "./read-parts.js";

/** A request as it reached the upstream. */
export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  /** The JSON body, or the text fields of a form. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly parts: readonly FormPart[];
}

export interface FakeUpstream {
  readonly baseUrl: string;
  readonly received: ReceivedRequest[];
  /** How many requests were given up by the gateway before they were answered. */
  readonly abandoned: () => number;
  close(): Promise<void>;
}

/**
 * A server that speaks OpenAI's dialect, and misbehaves when the name of the model asks for it: `status-503`,
 * `stall`, `stall-after-headers`, `cut`, `reset`, `garbage`, and the lies in embeddings.ts and images.ts.
 */
export async function startFakeUpstream(): Promise<FakeUpstream> {
  const received: ReceivedRequest[] = [];
  let abandoned = 0;
  const server = createServer((request, response) => {
    response.once("close", () => {
      if (!response.writableFinished) abandoned += 1;
    });
    void readRequest(request).then((read) => {
      received.push(read);
      answer(read, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    received,
    abandoned: () => abandoned,
    close: () => closeServer(server),
  };
}

function answer(request: ReceivedRequest, response: ServerResponse): void {
  const model = String(request.body.model ?? "");
  const status = /^status-(\d+)$/.exec(model)?.[1];
  if (status !== undefined) return refuse(response, Number(status));
  switch (model) {
    case "stall":
      return;
    case "stall-after-headers":
      response.writeHead(200, { "content-type": "application/json" }).flushHeaders();
      return;
    case "reset":
      response.destroy();
      return;
    case "cut":
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write('{"object":"list","data":[', () => response.destroy());
      return;
    case "garbage":
      response.writeHead(200, { "content-type": "application/json" }).end("<html>not json</html>");
      return;
    default:
      if (request.path === "/v1/embeddings") answerEmbeddings(request, response);
      else answerImages(request, response);
  }
}

export function refuse(response: ServerResponse, status: number, error: object = {}): void {
  response.writeHead(status, { "content-type": "application/json", "retry-after": "7" });
  response.end(
    JSON.stringify({
      error: { message: `Scripted failure ${status}.`, type: "test", param: null, code: null, ...error },
    }),
  );
}

async function readRequest(request: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const content = Buffer.concat(chunks);
  const parts = readParts(request.headers["content-type"] ?? "", content);
  const body =
    parts.length === 0
      ? JSON.parse(content.toString("utf8"))
      : Object.fromEntries(
          parts
            .filter((part) => part.filename === undefined)
            .map((part) => [part.name, part.content.toString()]),
        );
  return { path: request.url ?? "", headers: request.headers, body, parts };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
