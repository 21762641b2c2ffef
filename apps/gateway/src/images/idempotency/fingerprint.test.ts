import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { type Picture, pictureInFile, pictureInMemory } from "../../domain/image-input.js";
import type { ImageEditRequest, ImageRequest } from "../../domain/requests.js";
import { fingerprint } from "./fingerprint.js";

const picture = (text: string) => pictureInMemory(Buffer.from(text), "png");
const plain: ImageRequest = { prompt: "a cat", n: 2, size: "1024x1024" };
const edit: ImageEditRequest = { ...plain, images: [picture("one"), picture("two")] };

test("it is a SHA-256 that stays the same from release to release", async () => {
  const found = await fingerprint(plain, { model: "painter", allowPartial: false });

  expect(found).toBe("6e2953d52b9594b9f2ad3eb4a079353322c93eaa8fe48a673b2390d21710d331");
});

test("the order of the options and those that are undefined say nothing", async () => {
  const reordered = { size: "1024x1024", user: undefined, n: 2, prompt: "a cat" } as unknown as ImageRequest;

  const [one, other] = await Promise.all([
    fingerprint(plain, { model: "painter", allowPartial: false }),
    fingerprint(reordered, { model: "painter", allowPartial: false }),
  ]);

  expect(other).toBe(one);
});

const variants: readonly (readonly [string, ImageRequest | ImageEditRequest, string])[] = [
  ["plain", plain, "painter"],
  ["another model", plain, "sketcher"],
  ["another prompt", { ...plain, prompt: "a dog" }, "painter"],
  ["another option", { ...plain, n: 3 }, "painter"],
  ["one option more", { ...plain, stream: true }, "painter"],
  ["pictures", edit, "painter"],
  ["pictures in another order", { ...edit, images: [picture("two"), picture("one")] }, "painter"],
  ["pictures cut elsewhere", { ...edit, images: [picture("onet"), picture("wo")] }, "painter"],
  ["pictures in one", { ...edit, images: [picture("onetwo")] }, "painter"],
  ["a picture as mask", { ...edit, images: [picture("one")], mask: picture("two") }, "painter"],
  ["another mask", { ...edit, images: [picture("one")], mask: picture("three") }, "painter"],
];

test("whatever is asked differently has another fingerprint", async () => {
  const found = await Promise.all(
    variants.map(([, request, model]) => fingerprint(request, { model, allowPartial: false })),
  );

  expect(new Set(found).size).toBe(variants.length);
});

test("a picture is its bytes, wherever they are kept", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fingerprint-"));
  const content = Buffer.alloc(300_000, "picture");
  writeFileSync(join(folder, "upload"), content);
  const inFile = pictureInFile(join(folder, "upload"), { format: "png", bytes: content.length });

  const kept = await fingerprint(
    { prompt: "a cat", images: [inFile] },
    { model: "painter", allowPartial: false },
  );
  const held = await fingerprint(
    { prompt: "a cat", images: [pictureInMemory(content, "png")] },
    { model: "painter", allowPartial: false },
  );

  expect(kept).toBe(held);
  rmSync(folder, { recursive: true });
});

test("pictures are streamed one after the other and never read as a whole", async () => {
  let open = 0;
  let openMost = 0;
  const streamed: Picture = {
    ...picture("picone"),
    read: () => Promise.reject(new Error("It was read as a whole.")),
    stream: () =>
      Readable.from(
        (async function* () {
          open += 1;
          openMost = Math.max(openMost, open);
          yield Buffer.from("pic");
          yield Buffer.from("one");
          open -= 1;
        })(),
      ),
  };

  const found = await fingerprint(
    { ...edit, images: [streamed, streamed], mask: streamed },
    { model: "painter", allowPartial: false },
  );

  const whole = picture("picone");
  expect(found).toBe(
    await fingerprint(
      { ...edit, images: [whole, whole], mask: whole },
      { model: "painter", allowPartial: false },
    ),
  );
  expect(openMost).toBe(1);
});

test("a picture that can not be read is a failure", async () => {
  const gone = pictureInFile("/nowhere/at/all", { format: "png", bytes: 1 });

  await expect(
    fingerprint({ ...edit, images: [gone] }, { model: "painter", allowPartial: false }),
  ).rejects.toThrow("ENOENT");
});
