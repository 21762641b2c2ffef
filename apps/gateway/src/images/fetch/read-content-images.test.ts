import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { tinyPng } from "../../../test/fake-upstream/sample-images.mjs";
import { ImageFetchError } from "./check-url.js";
import type { FetchImage } from "./fetch-image.js";
import { createContentImageReader, type ReadContentImagesOptions } from "./read-content-images.js";

const data = `data:image/png;base64,${tinyPng.toString("base64")}`;
const link = (index: number) => ({ url: `https://a.example/${index}.png`, param: `input[${index}]` });
const links = (count: number) => Array.from({ length: count }, (_, index) => link(index));
const options = (changes: Partial<ReadContentImagesOptions> = {}): ReadContentImagesOptions => ({
  imageBytesMax: 1000,
  signal: new AbortController().signal,
  takeMemory: () => undefined,
  ...changes,
});

test("images come in the order of their links, with their sizes, and a link is fetched once", async () => {
  const fetched: string[] = [];
  const read = createContentImageReader(async (url) => {
    fetched.push(url);
    return tinyPng;
  }, 60_000);
  const given = [link(1), { url: data, param: "b" }, link(2), link(1)];

  const images = await read(given, options());

  expect(images).toEqual(
    given.map(() => expect.objectContaining({ format: "png", bytes: tinyPng.length, width: 1, height: 1 })),
  );
  expect(fetched).toEqual([link(1).url, link(2).url]);
});

test("links that differ by their query alone are two images", async () => {
  const content = new Map(
    ["v=1", "v=2"].map((query, index) => [
      `https://a.example/one.png?${query}`,
      Buffer.concat([tinyPng, Buffer.alloc(index)]),
    ]),
  );
  const read = createContentImageReader(async (url) => content.get(url) ?? Buffer.alloc(0), 60_000);
  const given = [...content.keys()].map((url) => ({ url, param: "input" }));

  const images = await read(given, options());

  expect(images.map(({ bytes }) => bytes)).toEqual([tinyPng.length, tinyPng.length + 1]);
});

test("at most eight images are fetched at a time", async () => {
  let inFlight = 0;
  let most = 0;
  const read = createContentImageReader(async () => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    await setImmediate();
    inFlight -= 1;
    return tinyPng;
  }, 60_000);

  await read(links(100), options());

  expect(most).toBe(8);
});

test("100 links to a slow host end together, and no fetch is left", async () => {
  let left = 0;
  const slow: FetchImage = (_url, { signal }) =>
    new Promise((_resolve, reject) => {
      left += 1;
      signal.addEventListener("abort", () => {
        left -= 1;
        reject(signal.reason);
      });
    });
  const read = createContentImageReader(slow, 20);

  await expect(read(links(100), options())).rejects.toMatchObject({
    code: "invalid_image_url",
    message: "Invalid 'input': its images did not arrive within 20 ms.",
  });
  expect(left).toBe(0);
});

test("a caller that leaves ends the fetches", async () => {
  const departure = new AbortController();
  const read = createContentImageReader(
    (_url, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    60_000,
  );
  const reading = read(links(3), options({ signal: departure.signal }));

  departure.abort(new Error("left"));

  await expect(reading).rejects.toThrow("left");
});

test("the first refusal ends the others", async () => {
  let aborted = 0;
  const read = createContentImageReader(async (url, { signal }) => {
    if (url === link(1).url) throw new ImageFetchError("refused", "The URL is not absolute.");
    return new Promise((_resolve, reject) =>
      signal.addEventListener("abort", () => {
        aborted += 1;
        reject(signal.reason);
      }),
    );
  }, 60_000);

  await expect(read(links(4), options())).rejects.toMatchObject({
    code: "invalid_image_url",
    param: "input[1]",
  });
  expect(aborted).toBe(3);
});

test("more links than 128 are refused, and none is fetched", async () => {
  let fetched = 0;
  const read = createContentImageReader(async () => {
    fetched += 1;
    return tinyPng;
  }, 60_000);

  await expect(read(links(129), options())).rejects.toMatchObject({ code: "array_above_max_length" });
  expect(fetched).toBe(0);
});

test("all linked images together have a limit, and are counted in memory", async () => {
  const image = Buffer.concat([tinyPng, Buffer.alloc(20 * 1024 * 1024 - tinyPng.length)]);
  image.set(tinyPng.subarray(-12), image.length - 12);
  let taken = 0;
  const read = createContentImageReader(async () => image, 60_000);
  const large = options({
    imageBytesMax: image.length,
    takeMemory: (bytes) => {
      taken += bytes;
      return undefined;
    },
  });

  await expect(read(links(3), large)).resolves.toHaveLength(3);
  expect(taken).toBe(3 * image.length);
  await expect(read(links(4), large)).rejects.toMatchObject({ code: "invalid_image_file" });
});

test("an image in the body has the model's limit", async () => {
  const read = createContentImageReader(() => Promise.reject(new Error("Nothing is fetched.")), 60_000);

  await expect(
    read([{ url: data, param: "input[0]" }], options({ imageBytesMax: 50 })),
  ).rejects.toMatchObject({ code: "invalid_image_file", param: "input[0]" });
});
