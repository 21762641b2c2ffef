/** A process: a bucket in memory, for the requests that the gateway sends. It checks no signature. */
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

const objects = new Map<string, Buffer>();
const uploads = new Map<string, Map<number, Buffer>>();

const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
  handle(request, response).catch(() => response.destroy());
}).listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("disconnect", () => process.exit());

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request);
  const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://bucket");
  const key = decodeURIComponent(pathname).split("/").slice(2).join("/");
  const upload = query.get("uploadId");
  switch (request.method) {
    case "PUT":
      if (upload === null) objects.set(key, body);
      else uploads.get(upload)?.set(Number(query.get("partNumber")), body);
      return void response.writeHead(200, { etag: '"0"' }).end();
    case "POST":
      return sendXml(response, upload === null ? beginUpload(key) : completeUpload(upload, key));
    case "DELETE":
      objects.delete(key);
      return void response.writeHead(204).end();
    default:
      if (key === "") return sendXml(response, query.has("uploads") ? noUploads : list(query));
      return sendObject(key, request.headers.range, response);
  }
}

const noUploads = "<ListMultipartUploadsResult></ListMultipartUploadsResult>";

function beginUpload(key: string): string {
  const id = randomBytes(12).toString("hex");
  uploads.set(id, new Map());
  return `<InitiateMultipartUploadResult><Key>${key}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`;
}

function completeUpload(id: string, key: string): string {
  const parts = [...(uploads.get(id) ?? [])].sort(([one], [other]) => one - other);
  uploads.delete(id);
  objects.set(key, Buffer.concat(parts.map(([, content]) => content)));
  return `<CompleteMultipartUploadResult><Key>${key}</Key><ETag>"0"</ETag></CompleteMultipartUploadResult>`;
}

function list(query: URLSearchParams): string {
  const keys = [...objects.keys()]
    .filter((key) => key.startsWith(query.get("prefix") ?? "") && key > (query.get("start-after") ?? ""))
    .sort()
    .slice(0, Number(query.get("max-keys") ?? 1000));
  const modified = new Date().toISOString();
  const entries = keys.map(
    (key) => `<Contents><Key>${key}</Key><LastModified>${modified}</LastModified></Contents>`,
  );
  return `<ListBucketResult><IsTruncated>false</IsTruncated>${entries.join("")}</ListBucketResult>`;
}

function sendObject(key: string, range: string | undefined, response: ServerResponse): void {
  const object = objects.get(key);
  if (object === undefined)
    return void response
      .writeHead(404, { "content-type": "application/xml" })
      .end("<Error><Code>NoSuchKey</Code></Error>");
  const [, start = "0", end = String(object.length)] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? [];
  const content = object.subarray(Number(start), Number(end) + 1);
  response.writeHead(range === undefined ? 200 : 206, { "content-length": content.length }).end(content);
}

function sendXml(response: ServerResponse, xml: string): void {
  response.writeHead(200, { "content-type": "application/xml" }).end(`<?xml version="1.0"?>\n${xml}`);
}
