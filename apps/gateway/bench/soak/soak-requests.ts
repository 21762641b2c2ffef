import { deflateSync } from "node:zlib";
import { createTexts } from "../local/embedding-job.js";
import { workloads } from "../workloads/index.js";
import type { BenchRequest } from "../workloads/workload.js";
import type { SoakKind } from "./soak-job.js";

/** A request of the mixed load. A hostile one must be refused. */
export interface SoakRequest extends Omit<BenchRequest, "findFault"> {
  readonly isHostile?: boolean;
  readonly findFault?: BenchRequest["findFault"];
}

const largestBytes = 32 * 1024 * 1024;

/** The requests of a kind, which are sent in turn. */
export async function createSoakRequests(kind: SoakKind): Promise<readonly SoakRequest[]> {
  switch (kind) {
    case "small":
      return fromWorkload("small-embedding");
    case "batch":
      return (await fromWorkload("batch-of-2048")).map(onBulkModel);
    case "generation":
      return fromWorkload("image-generation");
    case "edit":
      return fromWorkload("edits-8x50-mb");
    case "local":
      return [json({ model: "local", input: createTexts(8) })];
    case "hostile":
      return hostileRequests();
  }
}

async function fromWorkload(name: string): Promise<readonly SoakRequest[]> {
  const workload = workloads.find((one) => one.name === name);
  const requests = await Promise.all((workload?.cases ?? []).map(({ createRequests }) => createRequests()));
  return requests.flat();
}

/** The same model on the upstream that serves everything but the requests whose latencies count. */
function onBulkModel(request: SoakRequest): SoakRequest {
  const body = request.body.toString().replace('"model":"plain"', '"model":"bulk"');
  return { ...request, body: Buffer.from(body) };
}

/** Bodies that are cheap to send and expensive to read without a bound. */
function hostileRequests(): readonly SoakRequest[] {
  const start = '{"model":"plain","input":[';
  const bodies = [
    fill(start, "{},", "{}]}", largestBytes),
    fill(start, "[1],", "[1]]}", 8 * 1024 * 1024),
    fill(start, "[", "", 1024 * 1024),
    fill('{"model":"plain","input":"', "語", '"}', largestBytes),
    `{"model":"plain",${Array.from({ length: 100_000 }, (_, key) => `"k${key}":1`).join()}}`,
    '{"model":"plain","input":',
    '{"model":"plain","input":[]}',
    '{"model":"plain","input":"a","dimensions":-1}',
  ].map((body): SoakRequest => ({ ...text(body), isHostile: true }));
  return [...bodies, { ...bombEdit(), isHostile: true }];
}

function fill(start: string, part: string, end: string, bytes: number): string {
  return `${start}${part.repeat(Math.floor((bytes - 100) / Buffer.byteLength(part)))}${end}`;
}

/** An edit of a PNG whose texts unpack to two gigabytes. */
function bombEdit(): SoakRequest {
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const text = pngChunk("zTXt", deflateSync(Buffer.alloc(50_000_000)));
  const image = Buffer.concat([signature, ...Array.from({ length: 40 }, () => text), pngChunk("IEND")]);
  const boundary = "------------------------soak";
  const field = (name: string, value: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n\r\n`;
  return {
    path: "/v1/images/edits",
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([
      Buffer.from(`${field("model", "image")}${field("prompt", "a")}${head}`),
      image,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  };
}

/** The checksum is left out: the chunk is refused by its length. */
function pngChunk(type: string, data = Buffer.alloc(0)): Buffer {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, "latin1");
  chunk.set(data, 8);
  return chunk;
}

function json(body: object): SoakRequest {
  return text(JSON.stringify(body));
}

function text(body: string): SoakRequest {
  return { path: "/v1/embeddings", contentType: "application/json", body: Buffer.from(body) };
}
