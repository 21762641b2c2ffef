import { GatewayError } from "@model-gateway/domain/errors";
import { withTexts } from "@model-gateway/domain/test/with-texts";
import { joined, Vector } from "@model-gateway/domain/vector";
import { listUploads } from "@model-gateway/object-store/multipart-upload";
import type { S3Client } from "@model-gateway/object-store/s3-client";
import { errorOfReply, S3Error } from "@model-gateway/object-store/s3-error";
import { readBatchLimit } from "@model-gateway/providers/dialects/embeddings/batch-limit";
import { readGoogleError } from "@model-gateway/providers/dialects/google/errors";
import { ImageReplies, readImageEvents } from "@model-gateway/providers/dialects/openai/images";
import { quotableMessage } from "@model-gateway/providers/http/errors/quotable-message";
import { errorFromReply } from "@model-gateway/providers/http/errors/upstream-errors";
import { readJson } from "@model-gateway/providers/http/json-request";
import { readImageJson } from "@model-gateway/providers/http/replies/image-json";
import { readImageText } from "@model-gateway/providers/http/replies/image-text";
import { readVectorRows } from "@model-gateway/providers/http/replies/vector-rows";
import { readVector } from "@model-gateway/providers/http/replies/vectors";
import { BufferPool } from "@model-gateway/runtime/buffer-pool";
import { inSlices, TimeSlice } from "@model-gateway/runtime/time-slice";
import { expect } from "vitest";
import { chunksOf, replyOf } from "./incoming.js";
import type { Parser } from "./parser.js";
import { base64Shapes, filled, jsonShapes, jsonUnder, textShapes } from "./shapes.js";

/** Of an error, no more is read than this and one chunk. */
const errorBytesMax = 128 * 1024;

export const replyParsers: readonly Parser[] = [
  {
    name: "a reply in JSON",
    read: (bytes, chunkBytes) => readJson(replyOf(bytes, chunkBytes)),
    shapes: jsonShapes,
    samples: ['{"id":"a","status":"done","output":["b"]}'],
    kind: "json",
    refusals: [GatewayError],
    check: (bytes, value) => expect(value).toEqual(JSON.parse(bytes.toString())),
  },
  {
    name: "a reply with images",
    read: async (bytes, chunkBytes) => {
      const { document, images } = await readImageJson(replyOf(bytes, chunkBytes), {
        key: "image",
        count: 4,
      });
      return [document, images.map((image) => image.toText())];
    },
    shapes: { ...jsonShapes, ...jsonUnder("image") },
    samples: ['{"image":"aGk=","seed":1}'],
    kind: "json",
    check: (bytes, value) => {
      const [, texts] = value as [unknown, string[]];
      const { image } = JSON.parse(bytes.toString());
      const isPlain = typeof image === "string" && image !== "" && isPlainBase64(image);
      if (isPlain) expect(texts).toEqual([image]);
    },
    refusals: [GatewayError],
  },
  {
    name: "a reply with images or links",
    read: async (bytes, chunkBytes) => {
      const { data } = await new ImageReplies(new BufferPool()).read(replyOf(bytes, chunkBytes), 4);
      return withTexts(data);
    },
    shapes: { "short links": () => filled('{"url":"a"},', { before: '{"data":[', after: "{}]}" }) },
    samples: ['{"data":[{"b64_json":"aGk="},{"url":"https:\\/\\/a"},{"url":"data:a;base64,aGk"}]}'],
    kind: "json",
    refusals: [GatewayError],
  },
  {
    name: "a stream of image events",
    read: async (bytes, chunkBytes) => {
      const events: unknown[] = [];
      for await (const { content, ...fields } of readImageEvents(replyOf(bytes, chunkBytes).chunks()))
        events.push([fields, content.toText()]);
      return events;
    },
    shapes: {
      "line feeds": () => filled("\n"),
      "empty events": () => filled("event: a\n\n"),
      "lines of one event": () => filled("data:\n"),
      comments: () => filled(":\n"),
      "an event of lists": () => filled("[],", { before: "data: [", after: "0]\n\n" }),
      "an event of keys": () => filled('"b64_json":"",', { before: "data: {", after: '"a":0}\n\n' }),
    },
    samples: ['event: a\ndata: {"type":"image_generation.completed","b64_json":"aGk="}\n\n'],
    kind: "events",
    refusals: [GatewayError],
  },
  {
    name: "a reply with rows of numbers",
    read: async (bytes, chunkBytes) => {
      const options = { count: 2048, buffers: new BufferPool() };
      const { reply, itemsOf } = await readVectorRows(replyOf(bytes, chunkBytes), options);
      return itemsOf(reply).map(({ vector }) => vector.toNumbers());
    },
    check: (bytes, value) => {
      const rows: number[][] = JSON.parse(bytes.toString());
      expect(value).toEqual(rows.map((row) => row.map(Math.fround)));
    },
    shapes: {
      ...jsonShapes,
      rows: () => filled("[0],", { before: "[", after: "[0]]" }),
      "empty rows": () => filled("[],", { before: "[", after: "[0]]" }),
    },
    samples: ["[[0.1,2],[3,4]]"],
    kind: "json",
    refusals: [GatewayError],
  },
  {
    name: "a vector as JSON",
    read: (bytes, chunkBytes) => numbersIn(readVector("json", chunksOf(bytes, chunkBytes))),
    shapes: jsonShapes,
    samples: ["[0.1,-2e3]"],
    kind: "json",
    refusals: [],
    check: (bytes, value) => expect(value).toEqual(numbersOf(bytes.toString("latin1"))),
  },
  {
    name: "a vector as base64",
    read: (bytes, chunkBytes) => numbersIn(readVector("base64", chunksOf(bytes, chunkBytes))),
    shapes: base64Shapes,
    samples: ["AACAPw==", "AACA\\/w=="],
    kind: "base64",
    refusals: [],
  },
  {
    name: "an image as base64",
    read: async (bytes, chunkBytes) => {
      const image = await inSlices(readImageText(chunksOf(bytes, chunkBytes)), new TimeSlice());
      return [image.toText(), image.read(0, 12), image.read(7, 90)];
    },
    check: (_bytes, value) => {
      const [text, head, part] = value as [string, Buffer, Buffer];
      const image = Buffer.from(text, "base64");
      expect([head, part]).toEqual([image.subarray(0, 12), image.subarray(7, 97)]);
    },
    shapes: base64Shapes,
    samples: ["aGk=", "data:image/png;base64,aGk"],
    kind: "base64",
    refusals: [GatewayError],
  },
  {
    name: "an error of an upstream",
    read: (bytes) => {
      const body = bytes.toString();
      // The longest request that is compared, with a long error.
      const input = "b c d e f ".repeat(bytes.length > 10_000 ? 6000 : 60);
      const sent = { body: JSON.stringify({ model: "a", input }), model: "a" };
      quotableMessage(body, sent);
      readBatchLimit(400, body);
      return errorFromReply({ status: 400, headers: {}, body, sent }, readGoogleError);
    },
    bytesMax: errorBytesMax,
    shapes: {
      ...textShapes,
      ...jsonShapes,
      "words of a refusal": () => filled("too many inputs "),
      "starts of a refusal": () => filled("batch "),
      limits: () => filled("limit of inputs "),
      sizes: () => filled("batch size "),
    },
    samples: ['{"error":{"message":"batch size 3 is larger than 2","status":"INVALID_ARGUMENT"}}'],
    kind: "json",
    refusals: [],
  },
  {
    name: "an error of a bucket",
    read: async (bytes, chunkBytes) => {
      const body = replyOf(bytes, chunkBytes).chunks();
      return (await errorOfReply({ statusCode: 500, body } as never, () => false)).message;
    },
    shapes: { codes: () => filled("<Code>a"), "less-than signs": () => filled("<") },
    samples: ["<Error><Code>NoSuchUpload</Code></Error>"],
    kind: "xml",
    refusals: [],
    check: (_bytes, value) =>
      expect(value).toMatch(/^The bucket replied with the status 500 and the code [\w.]+\.$/),
  },
  {
    name: "a list of a bucket",
    read: (bytes, chunkBytes) => listUploads(bucketWith(bytes, chunkBytes), "a"),
    shapes: {
      "uploads without end": () => filled("<Upload>", { before: "<ListMultipartUploadsResult>" }),
      "empty uploads": () => filled("<Upload></Upload>", { before: "<ListMultipartUploadsResult>" }),
      roots: () => filled("<ListMultipartUploadsResult"),
      keys: () => filled("<Key>", { before: "<ListMultipartUploadsResult><Upload>", after: "</Upload>" }),
      codes: () => filled("<Code>"),
    },
    samples: [
      "<ListMultipartUploadsResult><Upload><Key>a</Key><UploadId>b</UploadId></Upload></ListMultipartUploadsResult>",
    ],
    kind: "xml",
    refusals: [S3Error],
  },
];

/** A bucket that replies with these bytes. */
function bucketWith(bytes: Buffer, chunkBytes?: number): S3Client {
  const send: S3Client["send"] = (_request, read) =>
    read({ statusCode: 200, body: replyOf(bytes, chunkBytes).chunks() } as never);
  return { send } as S3Client;
}

/** The numbers of a vector, or its fault. */
function numbersIn(vector: Vector | string): unknown {
  if (typeof vector === "string") return vector;
  // A megabyte is only measured.
  if (vector.width > 10_000) return vector.width;
  const numbers = vector.toNumbers();
  if (!vector.isFinite || numbers.length !== vector.width) return [vector.width, vector.isFinite, numbers];
  expect(JSON.parse(joined(vector.toJson())).map(Math.fround)).toEqual(numbers);
  expect(Vector.fromBase64(joined(vector.toBase64())).toNumbers()).toEqual(numbers);
  return [vector.width, true, numbers];
}

/** The same by JSON.parse. A text has no spaces around its brackets. */
function numbersOf(text: string): unknown {
  const values = /^\[[\s\S]*\]$/.test(text) ? parsed(text) : undefined;
  const isVector =
    Array.isArray(values) &&
    values.every((one) => typeof one === "number" && Number.isFinite(Math.fround(one)));
  return isVector ? [values.length, true, values.map(Math.fround)] : "is neither numbers nor base64";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isPlainBase64(text: string): boolean {
  return Buffer.from(text, "base64").toString("base64") === text;
}
