import { inSlices, TimeSlice } from "@model-gateway/runtime/time-slice";
import sharp from "sharp";
import { expect, test } from "vitest";
import { walkGif } from "./inspect-gif.js";

const inspect = (content: Buffer) => inSlices(walkGif(content), new TimeSlice());

/** An animation with a stripe that differs from frame to frame. */
async function animation(frames: number): Promise<Buffer> {
  const [width, height] = [24, 16];
  const pixels = Buffer.alloc(width * height * frames * 3);
  for (let frame = 0; frame < frames; frame += 1) pixels.fill(15 * (frame + 1), frame * width * height * 3);
  return sharp(pixels, { raw: { width, height: height * frames, channels: 3, pageHeight: height } })
    .gif({ delay: Array<number>(frames).fill(100) })
    .toBuffer();
}

/** The smallest GIF: one pixel, no colour table. */
const smallest = Buffer.from("474946383761010001000000002c000000000100010000020144003b", "hex");

test.each([1, 2, 16])("a GIF of %d frames is walked to its end", async (frames) => {
  expect(await inspect(await animation(frames))).toEqual({
    width: 24,
    height: 16,
    frames,
    hasManifest: false,
  });
});

test("a GIF87a passes, and so does data after its end", async () => {
  const facts = { width: 1, height: 1, frames: 1, hasManifest: false };

  expect(await inspect(smallest)).toEqual(facts);
  expect(await inspect(Buffer.concat([smallest, Buffer.alloc(9)]))).toEqual(facts);
});

test("a GIF that is truncated anywhere is refused", async () => {
  const whole = await animation(3);

  for (let bytes = 0; bytes < whole.length; bytes += 1)
    await expect(inspect(whole.subarray(0, bytes)), `${bytes} bytes`).rejects.toThrow(Error);
});

test.each([
  ["nothing", Buffer.alloc(0), "The data does not begin as a GIF."],
  ["a PNG", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), "The data does not begin as a GIF."],
  ["no width", change(smallest, 6, 0), "The GIF has a size of 0x1."],
  ["no frame", Buffer.concat([smallest.subarray(0, 13), Buffer.from([0x3b])]), "The GIF is truncated"],
  ["a block that does not exist", change(smallest, 13, 0x55), "The GIF is truncated, damaged or empty."],
  ["a huge size", oversized(), "The GIF has a size of 65535x65535."],
  ["thousands of frames", repeated(2000), "The GIF has more than 1000 frames."],
  ["millions of empty comments", emptyComments(), "The GIF has more than 1000000 blocks."],
  ["millions of blocks", manyBlocks(), "The GIF has more than 1000000 blocks."],
])("a GIF with %s is refused", async (_name, content, message) => {
  await expect(inspect(content)).rejects.toThrow(message);
});

test("a manifest store is an extension, and not pixels that look like one", async () => {
  const [head, rest] = [smallest.subarray(0, 13), smallest.subarray(13)];
  const store = Buffer.from("\x21\xff\x0bC2PA_GIF\x01\x00\x00\x01a\x00", "latin1");
  const comment = Buffer.concat([Buffer.from([0x21, 0xfe, store.length]), store, Buffer.from([0])]);

  expect(await inspect(Buffer.concat([head, store, rest]))).toMatchObject({ hasManifest: true });
  expect(await inspect(Buffer.concat([head, comment, rest]))).toMatchObject({ hasManifest: false });
});

function change(content: Buffer, at: number, byte: number): Buffer {
  const changed = Buffer.from(content);
  changed[at] = byte;
  return changed;
}

function oversized(): Buffer {
  const changed = Buffer.from(smallest);
  changed.writeUInt32LE(0xffff_ffff, 6);
  return changed;
}

function repeated(frames: number): Buffer {
  const frame = smallest.subarray(13, -1);
  return Buffer.concat([smallest.subarray(0, 13), ...Array<Buffer>(frames).fill(frame), Buffer.from([0x3b])]);
}

/** A comment in sub-blocks of one byte each. */
function manyBlocks(): Buffer {
  const comment = Buffer.alloc(2 * 1_100_000, 1);
  return Buffer.concat([smallest.subarray(0, 13), Buffer.from([0x21, 0xfe]), comment, smallest.subarray(13)]);
}

function emptyComments(): Buffer {
  const comments = Buffer.alloc(3 * 1_100_000, Buffer.from([0x21, 0xfe, 0]));
  return Buffer.concat([smallest.subarray(0, 13), comments, smallest.subarray(13)]);
}
