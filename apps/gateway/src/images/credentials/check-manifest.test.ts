import fc from "fast-check";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { imageInMemory } from "../../domain/image-input.js";
import type { RasterFormat } from "../../domain/image-profile.js";
import { checkManifest } from "./check-manifest.js";
import {
  buildStore,
  createSigner,
  embed,
  type Signer,
  type SignOptions,
  signImage,
} from "./test/sign-image.js";

const formats = ["png", "jpeg", "webp"] as const;
let signer: Signer;
const images = new Map<RasterFormat, Buffer>();
beforeAll(async () => {
  signer = await createSigner();
  for (const format of formats) {
    const image = sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } });
    images.set(format, await image.toFormat(format).toBuffer());
  }
});

function signed(options: SignOptions): Buffer {
  return signImage(images.get(options.format) ?? Buffer.alloc(0), signer, options);
}

const check = (content: Buffer, format: RasterFormat = "png") =>
  checkManifest(imageInMemory(content, format));

const valid = {
  state: "valid",
  issuer: "Test Images Inc.",
  model: "test-image-1",
  generatedAt: "2026-11-01T10:20:30.000Z",
  hasOtherExclusions: false,
};

describe.each(formats)("a %s", (format) => {
  test("that is not signed has no manifest", async () => {
    expect(await check(images.get(format) ?? Buffer.alloc(0), format)).toEqual({ state: "absent" });
  });

  test.each([
    ["of the present version", {}],
    ["of the first version", { version: 1 }],
    ["that takes several segments", { thumbnailBytes: 150_000 }],
  ] as const)("with a manifest %s is valid", async (_name, options) => {
    expect(await check(signed({ format, ...options }), format)).toEqual(valid);
  });

  test("whose last byte was changed does not belong to its manifest", async () => {
    const content = signed({ format });
    const at = format === "webp" ? 40 : content.length - 6;
    content[at] = (content[at] ?? 0) ^ 1;

    expect(await check(content, format)).toEqual({ state: "invalid", code: "assertion.dataHash.mismatch" });
  });
});

test("a signature with RSA is verified", async () => {
  const content = signImage(images.get("png") ?? Buffer.alloc(0), await createSigner("ps256"), {
    format: "png",
  });

  expect(await check(content)).toEqual(valid);
});

test.each([
  ["a longer text after the image was signed", "tEXt", "assertion.dataHash.mismatch"],
  ["a second store", "caBX", "manifest.multipleStores"],
] as const)("%s makes it invalid", async (_name, type, code) => {
  const content = signed({ format: "png" });
  const chunk = Buffer.from(`00000001${Buffer.from(type).toString("hex")}4100000000`, "hex");
  const end = content.length - 12;
  const changed = Buffer.concat([content.subarray(0, end), chunk, content.subarray(end)]);

  expect(await check(changed)).toEqual({ state: "invalid", code });
});

/** Changes a text in the manifest by its last letter. */
function corrupt(content: Buffer, text: string): Buffer {
  const changed = Buffer.from(content);
  const at = changed.indexOf(text) + text.length - 1;
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}

test.each([
  ["an assertion", "test-image-1", "assertion.hashedURI.mismatch"],
  ["the claim", "xmp:iid:a8b1c2d3", "claimSignature.mismatch"],
  ["the certificate", "Test Images Inc.", "claimSignature.mismatch"],
  ["the label of the claim", "c2pa.claim.v2", "claim.missing"],
  ["the label of the signature", "\x03c2pa.signature", "claimSignature.missing"],
  ["a reference", "c2pa.assertions/c2pa.actions.v2", "assertion.missing"],
  ["the length of a box", "jumb", "manifest.structure.invalid"],
] as const)("a change of %s is noticed", async (_name, text, code) => {
  const content = signed({ format: "png" });
  const changed = corrupt(content, text);

  expect(await check(changed)).toEqual({ state: "invalid", code });
});

test("an assertion that the claim does not name makes the manifest invalid", async () => {
  const content = signed({ format: "png", undeclared: ["org.example.extra"] });

  expect(await check(content)).toEqual({ state: "invalid", code: "assertion.undeclared" });
});

test("a manifest that is bound in another way is not checked, and not called valid or invalid", async () => {
  expect(await check(signed({ format: "png", binding: "c2pa.hash.boxes" }))).toEqual({
    state: "unchecked",
    reason: "The manifest is bound to the image by c2pa.hash.boxes, which is not supported.",
  });
  expect(await check(signed({ format: "png", binding: "org.example.hash" }))).toEqual({
    state: "invalid",
    code: "claim.hardBindings.missing",
  });
});

test("an update manifest is not checked", async () => {
  const store = buildStore(signer, { format: "png" });
  store.write("c2um", store.indexOf("c2ma"));
  const { file } = embed(images.get("png") ?? Buffer.alloc(0), store, "png");

  expect(await check(file)).toMatchObject({ state: "unchecked" });
});

test("bytes that the signer has left out are reported", async () => {
  const length = embed(
    images.get("png") ?? Buffer.alloc(0),
    buildStore(signer, { format: "png", excludes: { start: 0, length: 1 } }),
    "png",
  ).length;
  const content = signed({ format: "png", excludes: { start: 33 + length + 8, length: 4 } });
  const changed = Buffer.from(content);
  changed[33 + length + 9] = 255;

  expect(await check(content)).toEqual({ ...valid, hasOtherExclusions: true });
  expect(await check(changed)).toEqual({ ...valid, hasOtherExclusions: true });
});

test("bytes beside the manifest cannot be left out in its name", async () => {
  const content = signed({ format: "png", excludes: { start: 20, length: 14 } });

  expect(await check(content)).toMatchObject({ state: "invalid" });
});

test("another signer's manifest does not fit", async () => {
  const content = signed({ format: "png" });
  const other = await createSigner();
  const { certificate } = other;
  const at = content.indexOf(signer.certificate);
  // Of the same length or not, it is another key.
  certificate.copy(content, at, 0, Math.min(certificate.length, signer.certificate.length));

  expect(await check(content)).toMatchObject({ state: "invalid" });
});

test("no damage makes a manifest say something else, and none is an error", async () => {
  const content = signed({ format: "png" });
  const start = 33;
  const end = content.indexOf("IDAT") - 4;
  const changes = fc.array(
    fc.tuple(fc.integer({ min: start, max: end - 1 }), fc.integer({ min: 1, max: 255 })),
    {
      minLength: 1,
      maxLength: 3,
    },
  );
  await fc.assert(
    fc.asyncProperty(changes, async (list) => {
      const changed = Buffer.from(content);
      for (const [at, bits] of list) changed[at] = (changed[at] ?? 0) ^ bits;

      const result = await check(changed);

      // Some bytes say nothing, such as those that fill up. A change of any other is noticed.
      if (result.state === "valid") expect(result).toEqual(valid);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ["an empty store", Buffer.alloc(0)],
  ["zeros", Buffer.alloc(4096)],
  [
    "boxes in boxes",
    Buffer.concat(Array.from({ length: 3000 }, (_, depth) => box("jumb", 8 * (3000 - depth)))),
  ],
  [
    "ten thousand empty boxes",
    Buffer.concat([box("jumb", 8 + 8 * 20_000), ...Array(20_000).fill(box("free", 8))]),
  ],
] as const)("%s is invalid", async (_name, store) => {
  const { file } = embed(images.get("png") ?? Buffer.alloc(0), store, "png");

  expect(await check(file)).toEqual({ state: "invalid", code: "manifest.structure.invalid" });
});

function box(type: string, length: number): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(length);
  head.write(type, 4);
  return head;
}
