import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { Signer } from "@model-gateway/domain/aws-signature";
import type { S3Place, SignerSource } from "../s3-client.js";
import { etagOf, S3Uploads, type UploadReply } from "./s3-uploads.js";
import { verifySignature } from "./verify-signature.js";

/** A misbehaving server's reaction to a request. */
export type S3Fault =
  /** Never replies. */
  | "stall"
  /** Closes the connection instead of a reply, or in the middle of an object. */
  | "cut"
  /** Throttles: 503 SlowDown. */
  | "slow-down"
  /** 403 AccessDenied, whatever the signature. */
  | "forbidden"
  /** 507 without a body that S3 would send. */
  | "full"
  /** 200 and an HTML page, as another kind of server sends. */
  | "garbage";

export interface StoredObject {
  readonly content: Buffer;
  readonly type: string;
  /** Milliseconds since 1970. Absent: now. */
  readonly modifiedAt?: number;
}

const namespace = 'xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';

/** A signer with one access key, which is never renewed. */
export function signerOf(settings: BucketSettings): SignerSource {
  const signer = new Signer({ ...settings, service: "s3" });
  return { current: () => signer, giveUp: () => false };
}

/** A bucket as the file has it. */
export interface BucketSettings extends S3Place {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/**
 * A small S3 over real HTTP: it verifies every signature, stores objects in memory, lists them in order, and misbehaves
 * on demand.
 */
export class S3Server {
  readonly settings: BucketSettings;
  /** With the access key of the settings, which is never renewed. */
  readonly signer: SignerSource;
  readonly objects = new Map<string, StoredObject>();
  /** Objects that arrive in parts. */
  readonly uploads = new S3Uploads({ complete: (key, object) => this.objects.set(key, object) });
  /** Method and key of every request that arrived, whatever its outcome. */
  readonly requests: string[] = [];
  #server: Server | undefined;
  readonly #sockets = new Set<Socket>();
  #faults: { fault: S3Fault; left: number; concerns: (request: string) => boolean }[] = [];

  private constructor(settings: BucketSettings) {
    this.settings = settings;
    this.signer = signerOf(settings);
  }

  static async start(settings: Partial<BucketSettings> = {}): Promise<S3Server> {
    const server = createServer({ keepAliveTimeout: 120_000 });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const started = new S3Server({
      endpoint: `http://127.0.0.1:${port}`,
      bucket: "gateway-test",
      region: "eu-test-1",
      accessKeyId: "TESTACCESSKEY",
      secretAccessKey: "test/secret+access=key-0123456789",
      prefix: "some/prefix",
      addressing: "path",
      ...settings,
    });
    started.#serve(server);
    return started;
  }

  /** Misbehaves from now on, or so many times, with all requests or with those whose method and key match. */
  fail(fault: S3Fault, { times = Number.POSITIVE_INFINITY, concerning = /^/ } = {}): void {
    this.#faults.push({ fault, left: times, concerns: (request) => concerning.test(request) });
  }

  recover(): void {
    this.#faults = [];
  }

  /** Closes the port: connections are refused. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    for (const socket of this.#sockets) socket.destroy();
    server.close();
    await once(server, "close");
  }

  /** Opens the same port again, if it is closed. */
  async resume(): Promise<void> {
    if (this.#server !== undefined) return;
    const server = createServer({ keepAliveTimeout: 120_000 });
    server.listen(Number(new URL(this.settings.endpoint).port), "127.0.0.1");
    await once(server, "listening");
    this.#serve(server);
  }

  #serve(server: Server): void {
    this.#server = server;
    server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => undefined).on("close", () => this.#sockets.delete(socket));
    });
    server.on("request", (request, response) => {
      this.#handle(request, response).catch(() => response.destroy());
    });
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const url = new URL(request.url ?? "/", this.settings.endpoint);
    const { bucket, key } = this.#addressed(request, url);
    const described = `${request.method} ${key}`;
    this.requests.push(described);
    const fault = this.#takeFault(described);
    if (fault !== undefined && !(fault === "cut" && request.method === "GET" && this.objects.has(key)))
      return misbehave(fault, response);
    const problem = verifySignature(request, body, this.settings);
    if (problem !== undefined) return sendError(response, 403, problem);
    if (bucket !== this.settings.bucket) return sendError(response, 404, "NoSuchBucket");
    const { method = "GET" } = request;
    const type = request.headers["content-type"] ?? "";
    const reply = this.uploads.handle({ method, key, query: url.searchParams, body, type });
    if (reply !== undefined) return sendReply(response, reply);
    if (method === "PUT") return this.#put(key, { content: body, type, modifiedAt: Date.now() }, response);
    if (method === "DELETE") {
      this.objects.delete(key);
      response.writeHead(204).end();
      return;
    }
    if (key === "") return this.#list(url.searchParams, response);
    return this.#get(key, { isCut: fault === "cut", range: request.headers.range }, response);
  }

  #addressed(request: IncomingMessage, { pathname }: URL): { bucket: string; key: string } {
    const path = decodeURIComponent(pathname.slice(1));
    if (this.settings.addressing === "virtual-hosted")
      return { bucket: (request.headers.host ?? "").split(".")[0] ?? "", key: path };
    const [bucket = "", ...rest] = path.split("/");
    return { bucket, key: rest.join("/") };
  }

  #takeFault(described: string): S3Fault | undefined {
    const found = this.#faults.find(({ left, concerns }) => left > 0 && concerns(described));
    if (found !== undefined) found.left -= 1;
    return found?.fault;
  }

  #put(key: string, object: StoredObject, response: ServerResponse): void {
    this.objects.set(key, object);
    response.writeHead(200, { etag: etagOf(object.content) }).end();
  }

  #get(
    key: string,
    { isCut, range }: { isCut: boolean; range: string | undefined },
    response: ServerResponse,
  ): void {
    const object = this.objects.get(key);
    if (object === undefined) return sendError(response, 404, "NoSuchKey");
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? [];
    if (start !== undefined && Number(start) >= object.content.length)
      return sendError(response, 416, "InvalidRange");
    const content =
      start === undefined ? object.content : object.content.subarray(Number(start), Number(end) + 1);
    response.writeHead(start === undefined ? 200 : 206, {
      "content-type": object.type,
      "content-length": content.length,
    });
    if (!isCut) return void response.end(content);
    response.write(content.subarray(0, content.length / 2), () => response.destroy());
  }

  #list(query: URLSearchParams, response: ServerResponse): void {
    const matching = [...this.objects.keys()]
      .filter((key) => key.startsWith(query.get("prefix") ?? "") && key > (query.get("start-after") ?? ""))
      .sort();
    const page = matching.slice(0, Math.min(1000, Number(query.get("max-keys"))));
    const contents = page
      .map((key) => {
        const modified = new Date(this.objects.get(key)?.modifiedAt ?? Date.now()).toISOString();
        return `<Contents><Key>${key}</Key><LastModified>${modified}</LastModified></Contents>`;
      })
      .join("");
    const isTruncated = page.length < matching.length;
    sendXml(
      response,
      200,
      `<ListBucketResult ${namespace}><IsTruncated>${isTruncated}</IsTruncated>${contents}</ListBucketResult>`,
    );
  }
}

function misbehave(fault: S3Fault, response: ServerResponse): void {
  switch (fault) {
    case "stall":
      return;
    case "cut":
      return void response.destroy();
    case "slow-down":
      return sendError(response, 503, "SlowDown");
    case "forbidden":
      return sendError(response, 403, "AccessDenied");
    case "full":
      return void response.writeHead(507).end("no space left");
    case "garbage":
      return void response.writeHead(200, { "content-type": "text/html" }).end("<html>Welcome</html>");
  }
}

function sendReply(response: ServerResponse, { status, error, xml, etag }: UploadReply): void {
  if (error !== undefined) return sendError(response, status, error);
  if (xml !== undefined) return sendXml(response, status, xml);
  response.writeHead(status, etag === undefined ? {} : { etag }).end();
}

function sendError(response: ServerResponse, status: number, code: string): void {
  sendXml(response, status, `<Error><Code>${code}</Code><Message>See the code.</Message></Error>`);
}

function sendXml(response: ServerResponse, status: number, xml: string): void {
  response.writeHead(status, { "content-type": "application/xml" });
  response.end(`<?xml version="1.0" encoding="UTF-8"?>\n${xml}`);
}
