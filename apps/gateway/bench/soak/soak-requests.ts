import { deflateSync } from "node:zlib";
import { editRequest, workloads } from "../workloads/images.js";
import { inputText } from "../workloads/sample-data.js";
import type { BenchRequest } from "../workloads/workload.js";
import { pngChunk } from "./png-chunk.js";

/** A request of the mixed load. */
export interface SoakRequest extends Omit<BenchRequest, "findFault"> {
  /** The expected outcome. Absent: success. */
  readonly outcome?: "refused" | "failed" | "left";
  /** The pace of sending. Absent: at once. */
  readonly manner?: "chunks of a byte" | "slowly" | "in part";
  readonly findFault?: BenchRequest["findFault"];
}

const largestBytes = 32 * 1024 * 1024;

export type SoakKind = keyof typeof soakRequests;

/** The requests of each kind, which are sent in turn. */
export const soakRequests = {
  small: () => fromWorkload("small-embedding"),
  batch: async () => (await fromWorkload("batch-of-2048")).map(onBulkModel),
  generation: () => fromWorkload("image-generation"),
  edit: () => fromWorkload("edits-8x50-mb"),
  local: async () => [
    json({ model: "local", input: Array.from({ length: 8 }, (_, index) => inputText(index)) }),
  ],
  hostile: async () => hostileRequests(),
  "long-run": async () => longRuns(),
  "tiny-chunks": async () => [
    { ...text(" ".repeat(120_000)), manner: "chunks of a byte", outcome: "refused" },
  ],
  "slow-form": async () => [{ ...largeForm(), manner: "slowly", outcome: "left" }],
  departure: async () => [{ ...largeForm(), manner: "in part", outcome: "left" }],
  flood: async () => floodRequests(),
} satisfies Record<string, () => Promise<readonly SoakRequest[]>>;

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
  ].map((body): SoakRequest => ({ ...text(body), outcome: "refused" }));
  return [...bodies, { ...bombEdit(), outcome: "refused" }];
}

/** Texts without a break, far above the limit of tokens. To count them takes quadratic time, done carelessly. */
function longRuns(): readonly SoakRequest[] {
  const shapes = ["x", " ", "\n", "7", "語", "👩‍👩‍👧", "aB3$", "é"];
  const inputs: (string | string[])[] = shapes.map((shape) =>
    shape.repeat(900_000 / Buffer.byteLength(shape)),
  );
  inputs.push(Array.from({ length: 2048 }, () => "x".repeat(10_000)));
  return inputs.map((input) => ({ ...json({ model: "counted", input }), outcome: "refused" }));
}

function floodRequests(): readonly SoakRequest[] {
  const input = "a text of #00000001 some length, since the upstream looks for its number in it";
  const image = { model: "flood-image", prompt: "a", stream: true };
  const requests = [
    json({ model: "flood", input }),
    json({ model: "flood", input, encoding_format: "base64" }),
    { ...json(image), path: "/v1/images/generations" },
    { ...json({ ...image, stream: false }), path: "/v1/images/generations" },
  ];
  return requests.map((request) => ({ ...request, outcome: "failed" }));
}

/** An edit with an image of 20 MB. */
function largeForm(): SoakRequest {
  return form(Buffer.alloc(20_000_000, 1));
}

function fill(start: string, part: string, end: string, bytes: number): string {
  return `${start}${part.repeat(Math.floor((bytes - 100) / Buffer.byteLength(part)))}${end}`;
}

/** An edit of a PNG whose texts unpack to two gigabytes. */
function bombEdit(): SoakRequest {
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const text = pngChunk("zTXt", deflateSync(Buffer.alloc(50_000_000)));
  return form(Buffer.concat([signature, ...Array.from({ length: 40 }, () => text), pngChunk("IEND")]));
}

function form(content: Buffer): SoakRequest {
  return editRequest("a", [{ name: "image", content }]);
}

function json(body: object): SoakRequest {
  return text(JSON.stringify(body));
}

function text(body: string): SoakRequest {
  return { path: "/v1/embeddings", contentType: "application/json", body: Buffer.from(body) };
}
