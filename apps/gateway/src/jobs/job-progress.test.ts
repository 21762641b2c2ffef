import { ImageBytes } from "@model-gateway/domain/image-bytes";
import type { PartialImage } from "@model-gateway/domain/requests";
import { expect, test } from "vitest";
import { JobProgress, partialBytesMax } from "./job-progress.js";

test("of partial images that arrive during a write, the last is written next", async () => {
  const { progress, written, release } = begin();

  for (const created_at of [1, 2, 3]) progress.add(partial({ created_at }));
  release();
  await expect.poll(() => written).toHaveLength(2);

  expect(written.map((text) => JSON.parse(text))).toEqual([
    expect.objectContaining({ partial_images: 1 }),
    {
      partial_images: 3,
      partial_image: { created_at: 3, b64_json: "AAAA", output_format: "png", size: "1x1" },
    },
  ]);
});

test("a partial image that is too large is skipped, and counts", async () => {
  const { progress, written, release } = begin();
  release();

  progress.add(partial({ bytes: partialBytesMax + 1 }));
  progress.add(partial({ bytes: 3 }));
  await expect.poll(() => written).toHaveLength(1);

  expect(JSON.parse(written[0] ?? "")).toMatchObject({ partial_images: 2 });
});

test("closing drops what waits, and resolves when the write in progress has ended", async () => {
  const { progress, written, release } = begin();
  progress.add(partial({}));
  progress.add(partial({}));

  const closing = progress.close();
  release();
  await closing;

  expect(written).toHaveLength(1);
});

/** A progress whose first write ends when the test says so. */
function begin() {
  const written: string[] = [];
  const { promise, resolve } = withResolver();
  const progress = new JobProgress({
    write: (text) => {
      written.push(text);
      return promise;
    },
    onFailure: (failure) => {
      throw failure;
    },
  });
  return { progress, written, release: resolve };
}

function withResolver(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

function partial({ created_at = 1, bytes = 3 }: { readonly created_at?: number; readonly bytes?: number }) {
  return {
    type: "image_generation.partial_image",
    b64_json: ImageBytes.fromBinary(Buffer.alloc(bytes)),
    created_at,
    size: "1x1",
    quality: "high",
    background: "opaque",
    output_format: "png",
    partial_image_index: 0,
  } satisfies PartialImage;
}
