import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { type FileRange, type FileStore, MissingFileError } from "../files/file-store.js";
import type { StoredImage } from "../images/delivery/image-store.js";
import { batchIdIn, deliverLinks, withBatchImages, withoutLinks } from "./image-links.js";

const batchId = `batch_${"a".repeat(24)}`;
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const gif = Buffer.from("GIF89a and more");
const svg = Buffer.from("<svg/>");

/** Files in memory. Committed ones can be read. */
function createFiles({ failsToCommit = false } = {}) {
  const stored = new Map<string, Buffer>();
  const closed: string[] = [];
  const read: FileStore["read"] = async (id, range?: FileRange) => {
    const content = stored.get(id);
    if (content === undefined) throw new MissingFileError(id);
    return Readable.from([content.subarray(range?.start ?? 0, range?.end)]);
  };
  const create: FileStore["create"] = async (id) => {
    const chunks: Buffer[] = [];
    return {
      write: async (chunk) => void chunks.push(chunk),
      commit: async () => {
        if (failsToCommit) throw new Error("full");
        const content = Buffer.concat(chunks);
        stored.set(id, content);
        return { bytes: content.length };
      },
      abort: async () => void closed.push(id),
    };
  };
  return { stored, closed, files: { read, create } };
}

const lineOf = (responseFormat?: string) => ({ line: 7, body: { response_format: responseFormat } });
const responseOf = (...images: object[]) => Buffer.from(JSON.stringify({ created: 1, data: images }));
const signed = { sign: (file: string, ttlMs?: number) => ({ path: `/files/${file}?ttl=${ttlMs}` }) };

test("a line runs for the images themselves, unless it asks for something else", () => {
  expect(withoutLinks({ n: 1 })).toEqual({ n: 1, response_format: "b64_json" });
  expect(withoutLinks({ response_format: null })).toEqual({ response_format: "b64_json" });
  expect(withoutLinks({ response_format: "url" })).toEqual({ response_format: "b64_json" });
  expect(withoutLinks({ response_format: "webp" })).toEqual({ response_format: "webp" });
});

test("the images of a line that asks for links are stored under names that say what they are", async () => {
  const { files, stored, closed } = createFiles();
  const images = [png, gif, svg].map((content) => ({
    b64_json: content.toString("base64"),
    revised_prompt: "a fox",
  }));
  const links = { files, signed, ttlMs: 60_000 };

  const { body, linkedBytes } = await deliverLinks(responseOf(...images), {
    batchId,
    line: lineOf("url"),
    origin: "http://gateway.example",
    links,
  });

  const ids = [png, gif, svg].map(({ length }, index) => `image-${batchId}-7-${index}-${length}`);
  const names = [`${ids[0]}.png`, `${ids[1]}.gif`, `${ids[2]}.svg`];
  expect(JSON.parse(body.toString())).toEqual({
    created: 1,
    data: names.map((name) => ({
      url: `http://gateway.example/files/${name}?ttl=60000`,
      revised_prompt: "a fox",
    })),
  });
  expect(linkedBytes).toBe(png.length + gif.length + svg.length);
  expect([...stored]).toEqual([png, gif, svg].map((content, index) => [ids[index], content]));
  expect(closed).toEqual(ids);
});

test("the response of a line that asks for no links is left as it is", async () => {
  const { files, stored } = createFiles();
  const response = responseOf({ b64_json: png.toString("base64") });
  const linked = { batchId, origin: "http://gateway.example", links: { files, signed, ttlMs: 1 } };

  for (const format of [undefined, "b64_json"])
    expect(await deliverLinks(response, { ...linked, line: lineOf(format) })).toEqual({
      body: response,
      linkedBytes: 0,
    });
  expect(stored.size).toBe(0);
});

test("an image that cannot be stored fails its line, and leaves nothing", async () => {
  const { files, stored, closed } = createFiles({ failsToCommit: true });
  const links = { files, signed, ttlMs: 1 };

  const delivering = deliverLinks(responseOf({ b64_json: "AAAA" }), {
    batchId,
    line: lineOf("url"),
    origin: "",
    links,
  });

  await expect(delivering).rejects.toThrow("full");
  expect([stored.size, closed]).toEqual([0, [`image-${batchId}-7-0-3`]]);
});

test("the batch of an image or of a part is in its name", () => {
  expect(batchIdIn(`image-${batchId}-7-0-3`)).toBe(batchId);
  expect(batchIdIn(`part-${batchId}-0-0-1`)).toBe(batchId);
  for (const other of [`file-${batchId}-0`, `image-${batchId}`, `an-image-${batchId}-0`, "image-batch_a-0-0"])
    expect(batchIdIn(other)).toBeUndefined();
});

test("an image of a batch is opened from its file, whole or in part", async () => {
  const { files, stored } = createFiles();
  const id = `image-${batchId}-7-0-6`;
  stored.set(id, svg);
  const { open } = withBatchImages({ open: async () => undefined } as never, files);

  const image = await open(`${id}.svg`);

  expect(image).toMatchObject({ bytes: 6, format: "svg" });
  expect(String(await buffer(image?.read() ?? Readable.from([])))).toBe("<svg/>");
  expect(String(await buffer(image?.read({ start: 1, end: 3 }) ?? Readable.from([])))).toBe("svg");
  await image?.close();
  expect(await open(`image-${batchId}-7-1-6.svg`)).toBeUndefined();
});

test("a store that is down is an error, and not a missing image", async () => {
  const down = { read: () => Promise.reject(new Error("down")) };
  const { open } = withBatchImages({ open: async () => undefined } as never, down);

  await expect(open(`image-${batchId}-7-0-6.svg`)).rejects.toThrow("down");
});

test("any other name is one of the other images", async () => {
  const other = { bytes: 1 } as StoredImage;
  const { files } = createFiles();
  const { open } = withBatchImages({ open: async () => other } as never, files);

  for (const name of [
    "0123.png",
    `image-${batchId}-7-0-6.bmp`,
    `image-${batchId}-7-0.png`,
    `x${`image-${batchId}-7-0-6.png`}`,
    `image-${batchId}-7-0-6.png.png`,
  ])
    expect(await open(name)).toBe(other);
});
