import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { BufferPool } from "../runtime/buffer-pool.js";
import { ReplyBuffers } from "../runtime/reply-buffers.js";
import { ImageBytes } from "./image-bytes.js";

/** Cuts a text in chunks of a few letters each. */
function inChunks(text: string, size: number): Buffer[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}

test.each([1, 2, 3, 4, 5, 64])("base64 is read in chunks of %d letters", (size) => {
  for (const bytes of [1, 2, 3, 20]) {
    const content = randomBytes(bytes);
    const image = ImageBytes.fromBase64(inChunks(content.toString("base64"), size));

    expect(image?.bytes).toBe(bytes);
    for (let position = 0; position <= bytes + 1; position += 1) {
      for (let length = 0; length <= bytes + 2; length += 1)
        expect(image?.read(position, length)).toEqual(content.subarray(position, position + length));
    }
    expect(image?.toBuffer()).toEqual(content);
    expect(image?.toText()).toBe(content.toString("base64"));
  }
});

test("base64 is passed on in the chunks it arrived in", () => {
  const chunks = inChunks("aGVsbG8sIHdvcmxk", 5);

  expect(ImageBytes.fromBase64(chunks)?.toBase64()).toBe(chunks);
});

test("decoded bytes can be dropped, and are decoded again on demand", () => {
  const content = randomBytes(100_000);
  const image = ImageBytes.fromBase64(inChunks(content.toString("base64"), 4097));

  const decoded = image?.toBuffer();

  expect(image?.dropDecoded()).toEqual([decoded?.buffer]);
  expect(image?.dropDecoded()).toEqual([]);
  expect(image?.toBuffer()).toEqual(content);
  expect(ImageBytes.fromBinary(content).dropDecoded()).toEqual([]);
});

test("binary content is encoded when base64 is requested", () => {
  const image = ImageBytes.fromBinary(Buffer.from("hello"));

  expect([image.bytes, image.read(1, 3).toString(), image.toText()]).toEqual([5, "ell", "aGVsbG8="]);
});

test.each([
  ["line breaks", "aGVs\r\nbG8/\nPj4="],
  ["no padding", "aGVsbG8/Pj4"],
  ["half of its padding", "aGVsbG8/Pj4="],
  ["the URL-safe alphabet", "aGVsbG8_Pj4"],
  ["a data URL", "data:image/png;base64,aGVsbG8/Pj4="],
])("base64 with %s is rewritten", (_name, text) => {
  expect(ImageBytes.fromText(text)?.toText()).toBe("aGVsbG8/Pj4=");
});

test.each(["", "=", "a", "aGVsb", "aGVs!!!!", "aGVs====", "aG=s", "aGVsbG8=bG8=", "aGŁs", "<svg>"])(
  "%j is not base64",
  (text) => {
    expect(ImageBytes.fromText(text)).toBeUndefined();
    expect(ImageBytes.fromBase64([Buffer.from(text)])).toBeUndefined();
  },
);

test("a released image gives its memory back once, and can no longer be sent", () => {
  const pool = new BufferPool();
  const buffers = new ReplyBuffers(pool);
  const text = randomBytes(600_000).toString("base64");
  const chunks = inChunks(text, 64 * 1024).map((chunk) =>
    buffers.add(Buffer.from(Uint8Array.from(chunk).buffer)),
  );
  const other = ImageBytes.fromBase64(chunks, buffers);
  const image = ImageBytes.fromBase64(chunks, buffers);

  other?.release();
  other?.release();
  expect(image?.toText()).toBe(text);
  image?.release();

  expect(() => image?.toBase64()).toThrow("The image was released.");
  expect(chunks.at(-1)?.length).toBe(0);
});
