import { randomBytes } from "node:crypto";
import { BufferPool } from "@model-gateway/runtime/buffer-pool";
import { ReplyBuffers } from "@model-gateway/runtime/reply-buffers";
import type { Steps } from "@model-gateway/runtime/time-slice";
import { expect, test } from "vitest";
import { ImageBytes } from "./image-bytes.js";

/** The result of some steps. */
function resultOf<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

const imageOf = (...given: Parameters<typeof ImageBytes.fromBase64>) =>
  resultOf(ImageBytes.fromBase64(...given));

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
    const image = imageOf(inChunks(content.toString("base64"), size));

    expect(image?.bytes).toBe(bytes);
    for (let position = 0; position <= bytes + 1; position += 1) {
      for (let length = 0; length <= bytes + 2; length += 1)
        expect(image?.read(position, length)).toEqual(content.subarray(position, position + length));
    }
    expect(decodedOf(image)).toEqual(content);
    expect(image?.toText()).toBe(content.toString("base64"));
  }
});

test("base64 is passed on in the chunks it arrived in", () => {
  const chunks = inChunks("aGVsbG8sIHdvcmxk", 5);

  expect(imageOf(chunks)?.toBase64()).toBe(chunks);
});

test("decoded bytes can be dropped, and are decoded again on demand", () => {
  const content = randomBytes(100_000);
  const image = imageOf(inChunks(content.toString("base64"), 4097));

  const decoded = decodedOf(image);

  expect(image?.dropDecoded()).toEqual([decoded?.buffer]);
  expect(image?.dropDecoded()).toEqual([]);
  expect(decodedOf(image)).toEqual(content);
  expect(ImageBytes.fromBinary(content).dropDecoded()).toEqual([]);
});

test("a large image is decoded and encoded in steps, and read in any order", () => {
  const content = randomBytes(2_000_000);
  const chunks = inChunks(content.toString("base64"), 65_537);
  const image = imageOf(chunks);
  const binary = ImageBytes.fromBinary(content);

  for (const position of [5, 1_900_000, 1_500_000, 0, 1_999_999, 700_000])
    expect(image?.read(position, 100_000)).toEqual(content.subarray(position, position + 100_000));
  expect([...(image?.decode() ?? [])]).toHaveLength(6);
  expect([...binary.encode()]).toHaveLength(6);

  expect(decodedOf(image)?.equals(content)).toBe(true);
  expect(Buffer.concat(binary.toBase64()).equals(Buffer.concat(chunks))).toBe(true);
  expect(decodedOf(binary)?.equals(content)).toBe(true);
});

function decodedOf(image: ImageBytes | undefined): Buffer | undefined {
  return image && resultOf(image.decode());
}

test("binary content is encoded when base64 is requested", () => {
  const image = ImageBytes.fromBinary(Buffer.from("hello"));

  expect([image.bytes, image.read(1, 3).toString(), image.toText()]).toEqual([5, "ell", "aGVsbG8="]);
});

test.each(["", "=", "a", "aGVsb", "aGVs!!!!", "aGVs====", "aG=s", "aGVsbG8=bG8=", "aGŁs", "<svg>"])(
  "%j is not base64",
  (text) => {
    expect(imageOf([Buffer.from(text)])).toBeUndefined();
  },
);

test("a released image gives its memory back once, and can no longer be sent", () => {
  const pool = new BufferPool();
  const buffers = new ReplyBuffers(pool);
  const text = randomBytes(600_000).toString("base64");
  const chunks = inChunks(text, 64 * 1024).map((chunk) =>
    buffers.add(Buffer.from(Uint8Array.from(chunk).buffer)),
  );
  const other = imageOf(chunks, buffers);
  const image = imageOf(chunks, buffers);

  other?.release();
  other?.release();
  expect(image?.toText()).toBe(text);
  image?.release();

  expect(() => image?.toBase64()).toThrow("The image was released.");
  expect(chunks.at(-1)?.length).toBe(0);
});
