import type { ImageMetadata } from "@model-gateway/domain/image-header";
import { imageInMemory, readImageHeader } from "@model-gateway/domain/image-input";
import sharp from "sharp";
import { expect, test } from "vitest";
import { type ImageLabel, labelImage } from "./label-image.js";

const label: ImageLabel = {
  provider: 'Images & "Co" <Ltd>',
  model: "flux-2",
  createdAt: new Date("2026-11-17T10:00:00Z"),
  id: "0b6e1c5c-2f3a-4a38-9a52-0a8f2a4a51f7",
};

async function metadataOf(content: Buffer, format: ImageMetadata["format"]): Promise<ImageMetadata> {
  const metadata = await readImageHeader(imageInMemory(content, format));
  if (metadata === undefined) throw new Error("It is not an image.");
  return metadata;
}

const samples = [
  ["png", "opaque", {}],
  ["png", "transparent", {}],
  ["jpeg", "opaque", {}],
  ["webp", "opaque", {}],
  ["webp", "opaque", { lossless: true }],
  ["webp", "transparent", {}],
  ["webp", "transparent", { lossless: true }],
] as const;

test.each(samples)(
  "a label in a %s, %s, %o, can be read, and changes no pixel",
  async (format, kind, options) => {
    const background = { r: 200, g: 30, b: 60, alpha: kind === "opaque" ? 1 : 0.5 };
    const image = sharp({
      create: { width: 21, height: 16, channels: kind === "opaque" ? 3 : 4, background },
    });
    const content = await image.toFormat(format, options).toBuffer();
    const metadata = await metadataOf(content, format);

    const labelled = Buffer.concat(labelImage(content, metadata, label) ?? []);

    const read = await sharp(labelled).metadata();
    expect(read).toMatchObject({ format, width: 21, height: 16, hasAlpha: metadata.hasAlpha });
    const xmp = read.xmp?.toString() ?? "";
    expect(xmp).toContain(
      'Iptc4xmpExt:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia"',
    );
    expect(xmp).toContain('Iptc4xmpExt:AISystemUsed="Images &amp; &quot;Co&quot; &lt;Ltd>"');
    expect(xmp).toContain('Iptc4xmpExt:AISystemVersionUsed="flux-2"');
    expect(xmp).toContain('xmp:CreateDate="2026-11-17T10:00:00.000Z"');
    expect(xmp).toContain('dc:identifier="urn:uuid:0b6e1c5c-2f3a-4a38-9a52-0a8f2a4a51f7"');
    expect(await metadataOf(labelled, format)).toEqual(metadata);
    const pixels = (one: Buffer) => sharp(one).raw().toBuffer();
    expect((await pixels(labelled)).equals(await pixels(content))).toBe(true);
  },
);

test.each(["png", "jpeg", "webp"] as const)("a %s that has XMP is left as it is", async (format) => {
  const image = sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } });
  const content = await image.toFormat(format).toBuffer();
  const metadata = await metadataOf(content, format);
  const labelled = Buffer.concat(labelImage(content, metadata, label) ?? []);

  expect(labelImage(labelled, metadata, label)).toBeUndefined();
});

test("control characters and halves of characters are left out", async () => {
  const content = await sharp({ create: { width: 1, height: 1, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const odd = { ...label, model: "a\u0000\u0007b\ud800c" };

  const labelled = Buffer.concat(labelImage(content, await metadataOf(content, "png"), odd) ?? []);

  expect((await sharp(labelled).metadata()).xmp?.toString()).toContain('VersionUsed="abc"');
});
