import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { gunzipSync, gzipSync } from "node:zlib";
import { GatewayError } from "@model-gateway/domain/errors";
import { unlimitedMemory } from "@model-gateway/domain/test/unlimited-memory";
import { decodePieces, decodeRange } from "@model-gateway/runtime/base64-text";
import type { Request } from "express";
import { expect } from "vitest";
import { estimateFile } from "../../src/batches/estimate-results.js";
import { parseJsonLine } from "../../src/batches/parse-json-line.js";
import { readLines } from "../../src/batches/read-lines.js";
import { LargeJson, parseLargeJson } from "../../src/execution/json/parse-json.js";
import { operationsOf, readSpec } from "../../src/execution/validation/spec.js";
import { readJson } from "../../src/http/request/read-json.js";
import { ImageFetchError, readImageUrl } from "../../src/images/fetch/check-url.js";
import { readLink } from "../../src/images/fetch/read-links.js";
import { chunksOf, replyOf, textOf } from "./incoming.js";
import type { Parser } from "./parser.js";
import { base64Shapes, filled, jsonShapes, jsonUnder, megabyte, type Shapes, textShapes } from "./shapes.js";

const operations = operationsOf(readSpec());
const shapeOf = (id: string) => operations.find((one) => one.id === id)!.jsonShape;

export const requestParsers: readonly Parser[] = [
  {
    name: "the JSON body of an embedding",
    read: (bytes, chunkBytes) => parseLargeJson(bytes, shapeOf("createEmbedding"), chunkBytes),
    check: sameAsJsonParse,
    shapes: { ...jsonShapes, ...jsonUnder("input") },
    samples: ['{"model":"a","input":["b",[1,2]],"dimensions":8}', "\ufeff{}"],
    kind: "json",
    refusals: [GatewayError],
  },
  {
    name: "a JSON body with images",
    read: readBody,
    check: sameAsJsonParse,
    shapes: { ...jsonUnder("input"), ...imagesOf(base64Shapes) },
    samples: [
      '{"model":"a","input":[{"content":[{"type":"text","text":"b"}]}]}',
      bodyWith("data:image/png;base64,AAAA"),
      bodyWith(`data:image/png;base64,${"iVBORw0KGgoA".repeat(1400)}`),
    ],
    kind: "json",
    refusals: [GatewayError],
  },
  {
    name: "a compressed JSON body",
    read: readCompressed,
    shapes: {
      "a gigabyte of spaces": () => membersOf(gzipSync(Buffer.alloc(64 * megabyte, " "))),
      "empty members": () => membersOf(gzipSync("")),
      "empty blocks": () => repeatedBytes(emptyBlock, gzipHeader(0)),
      "a long name": () => repeatedBytes(Buffer.from("a"), gzipHeader(nameFollows)),
      "random bytes": () => Buffer.concat([gzipSync(randomBytes(megabyte)), Buffer.from("x")]),
      "what is not compressed": () => filled("["),
    },
    samples: [
      gzipSync('{"model":"a","input":["b",[1,2]]}'),
      Buffer.concat([gzipSync('{"model":"a",'), gzipSync('"input":"b"}')]),
    ],
    check: (bytes, value) => expect(value).toEqual(JSON.parse(gunzipSync(bytes).toString())),
    kind: "prose",
    refusals: [GatewayError],
    // Damage is found where it is, or at the end, by the chunk that it is in.
    namesAnyFault: true,
  },
  {
    name: "a line of a batch",
    read: (bytes) => parseJsonLine(bytes, shapeOf("createEmbedding")),
    shapes: { ...jsonUnder("body"), ...textShapes },
    samples: [
      '{"custom_id":"a","method":"POST","url":"/v1/embeddings","body":{"model":"a","input":"b"}}',
      // Only the body of a long line is read apart.
      `{"custom_id":"a","body":{"input":["${"b".repeat(66_000)}"]},"url":"c"}`,
    ],
    check: sameAsJsonParse,
    kind: "json",
    refusals: [GatewayError, Error],
  },
  {
    name: "the samples of a file",
    read: (bytes) =>
      estimateFile(
        { id: "file-a", bytes: bytes.length },
        {
          files: { read: async (_id, range) => Readable.from([bytes.subarray(range?.start, range?.end)]) },
          form: { endpoint: "/v1/embeddings", widthOf: () => undefined },
          linesMax: 50_000,
        },
      ),
    shapes: {
      ...jsonUnder("body"),
      ...textShapes,
      "short lines": () => filled("{}\n"),
      "lines that end too soon": () => filled("{\n"),
    },
    samples: [
      '{"custom_id":"a","body":{"model":"a","input":["b"]}}\n{"custom_id":"b","body":{"input":"c"}}\n',
      '{"body":{"n":2,"size":"64x64","dimensions":3}}\n{"body":{"input":[1,2],"output_dtype":"binary"}}',
    ],
    check: (_bytes, estimate) => {
      expect(estimate).toBeGreaterThanOrEqual(0);
      expect(estimate).toBeLessThan(Number.POSITIVE_INFINITY);
    },
    kind: "json",
    refusals: [],
  },
  {
    name: "the lines of a file",
    read: async (bytes, chunkBytes) => {
      const lines: (string | undefined)[] = [];
      const isShort = bytes.length < 100_000;
      const stream = replyOf(bytes, chunkBytes).chunks();
      for await (const { text } of readLines(stream, { lineBytesMax: megabyte }))
        if (isShort) lines.push(text?.toString("latin1"));
      return lines;
    },
    shapes: { ...textShapes, "short lines": () => filled("{}\n") },
    samples: ["a\n\r\n\nb"],
    kind: "prose",
    refusals: [],
    check: (bytes, lines) => {
      const texts = bytes.toString("latin1").split("\n");
      if (texts.at(-1) === "") texts.pop();
      expect(lines).toEqual(texts.map((text) => text.replace(/\r$/, "")));
    },
  },
  {
    name: "a link to an image",
    read: (bytes) => readImageUrl(textOf(bytes), { allowPrivate: false }).href,
    shapes: {
      ...textShapes,
      "a long host": () => filled("a.", { before: "https://" }),
      "a host of other letters": () => filled("ß", { before: "https://" }),
      "steps up": () => filled("/..", { before: "https://a.example" }),
      "a long user": () => filled("%40", { before: "https://", after: "@a.example" }),
    },
    samples: ["https://a.example/b.png?c=d#e", "https://[::1]:8080/", "http://0x7f.1/"],
    kind: "link",
    refusals: [ImageFetchError],
    check: (_bytes, href) => expect(readImageUrl(String(href), { allowPrivate: false }).href).toBe(href),
  },
  {
    name: "a data URL",
    read: async (bytes) => {
      const image = await readLink(
        { url: `data:image/png;base64,${bytes.toString("latin1")}`, param: "image" },
        { bytesMax: megabyte, signal: new AbortController().signal },
        () => Promise.reject(new Error("It is fetched.")),
      );
      return [image.format, await image.read()];
    },
    shapes: base64Shapes,
    samples: ["iVBORw0KGgo=", "iVBO\nRw0K"],
    kind: "base64",
    check: (bytes, value) => {
      const [, content] = value as [string, Buffer];
      expect(content.equals(Buffer.from(bytes.toString("latin1"), "base64"))).toBe(true);
    },
    refusals: [GatewayError],
  },
];

function bodyWith(url: string): string {
  return `{"model":"a","input":[{"content":[{"type":"image_url","image_url":{"url":"${url}"}}]}]}`;
}

/** A member up to its first block. https://www.rfc-editor.org/rfc/rfc1952 */
function gzipHeader(flags: number): Buffer {
  return Buffer.from([0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 255]);
}

const nameFollows = 8;
/** A block of no bytes, which is not compressed. */
const emptyBlock = Buffer.from([0, 0, 0, 255, 255]);

function repeatedBytes(unit: Buffer, before: Buffer): Buffer {
  return Buffer.concat([before, Buffer.alloc(megabyte - before.length, unit)]);
}

/** A member that is repeated up to a megabyte. */
function membersOf(member: Buffer): Buffer {
  return Buffer.alloc(Math.floor(megabyte / member.length) * member.length, member);
}

/** Reads a compressed body while it arrives, as the gateway does. */
async function readCompressed(bytes: Buffer, chunkBytes?: number): Promise<unknown> {
  const body = Readable.from(chunksOf(bytes, chunkBytes), { objectMode: false });
  const socket = { pause: () => undefined, resume: () => undefined };
  const request = Object.assign(body, { headers: {}, socket, complete: true });
  const { value } = await readJson(request as unknown as Request, {
    bytesMax: 32 * megabyte,
    shape: shapeOf("createEmbedding"),
    encoding: "gzip",
    context: {
      memory: unlimitedMemory,
      caller: "a",
      signal: new AbortController().signal,
      onActive: () => undefined,
    },
    slowBodies: { watch: () => () => undefined },
  });
  return value;
}

/** Texts as the data URL of an image. */
function imagesOf(shapes: Shapes): Shapes {
  const [before = "", after = ""] = bodyWith("data:image/png;base64,|").split("|");
  return Object.fromEntries(
    Object.entries(shapes).map(([name, make]) => [
      `${name} as an image`,
      () => Buffer.concat([Buffer.from(before), make(), Buffer.from(after)]),
    ]),
  );
}

/** Reads a body while it arrives, as the gateway does. Its data URLs are put back. */
async function readBody(bytes: Buffer, chunkBytes?: number): Promise<unknown> {
  const json = new LargeJson(shapeOf("createEmbedding"), chunkBytes);
  let arrived = 0;
  for (const { length } of chunksOf(bytes, chunkBytes)) {
    arrived += length;
    // It is scanned from the length of a byte order mark on, and each time in other memory.
    if (arrived >= 3) json.scan(Buffer.from(bytes.subarray(0, arrived)));
  }
  const { value, dataUrls } = await json.parseApart(bytes);
  if (dataUrls === undefined) return value;
  let text = JSON.stringify(value);
  for (const [url, base64] of dataUrls) {
    const content = base64.toString("latin1");
    const image = Buffer.from(content, "base64");
    // The pieces share their memory.
    const pieces = Array.from(decodePieces(base64), (piece) => Buffer.from(piece));
    expect([
      Buffer.concat(pieces).equals(image),
      decodeRange(base64, 7, 90).equals(image.subarray(7, 97)),
    ]).toEqual([true, true]);
    text = text.replaceAll(url, url.slice(0, url.indexOf(",") + 1) + content);
  }
  return JSON.parse(text);
}

function sameAsJsonParse(bytes: Buffer, value: unknown): void {
  expect(value).toEqual(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
}
