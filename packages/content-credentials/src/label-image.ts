import { crc32 } from "node:zlib";
import type { ImageMetadata } from "@model-gateway/domain/image-header";

/** The statements of a label. */
export interface ImageLabel {
  readonly provider: string;
  readonly model: string;
  readonly createdAt: Date;
  /** Unique for each image. */
  readonly id: string;
}

/**
 * Writes into an image that a trained model has created it, as XMP. Returns the parts of the new file. Undefined if the image has XMP already, which is left
 * as it is. Never call it with a signed image: any change makes its credentials invalid.
 *
 * https://www.iptc.org/std/photometadata/specification/IPTC-PhotoMetadata#digital-source-type
 */
export function labelImage(
  content: Buffer,
  metadata: ImageMetadata,
  label: ImageLabel,
): readonly Buffer[] | undefined {
  const packet = Buffer.from(writeXmp(label));
  switch (metadata.format) {
    case "png":
      return labelPng(content, packet);
    case "jpeg":
      return labelJpeg(content, packet);
    case "webp":
      return labelWebp(content, packet, metadata);
  }
}

function writeXmp({ provider, model, createdAt, id }: ImageLabel): string {
  const properties = {
    "Iptc4xmpExt:DigitalSourceType": "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia",
    "Iptc4xmpExt:AISystemUsed": provider,
    "Iptc4xmpExt:AISystemVersionUsed": model,
    "xmp:CreateDate": createdAt.toISOString(),
    "dc:identifier": `urn:uuid:${id}`,
  };
  const attributes = Object.entries(properties).map(([name, value]) => `${name}="${escapeXml(value)}"`);
  return [
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>',
    '<x:xmpmeta xmlns:x="adobe:ns:meta/">',
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
    '<rdf:Description rdf:about=""',
    'xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"',
    'xmlns:xmp="http://ns.adobe.com/xap/1.0/"',
    'xmlns:dc="http://purl.org/dc/elements/1.1/"',
    `${attributes.join("\n")}/>`,
    "</rdf:RDF>",
    "</x:xmpmeta>",
    '<?xpacket end="w"?>',
  ].join("\n");
}

const valueLengthMax = 256;

/** Characters that XML cannot have are left out. */
function escapeXml(text: string): string {
  return text
    .slice(0, valueLengthMax)
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll('"', "&quot;");
}

const pngKeyword = Buffer.from("XML:com.adobe.xmp\0");
/** The signature, and the chunk with the size of the image, which is the first. */
const pngHeaderBytes = 33;

/** Text that is not compressed, without a language. */
function labelPng(content: Buffer, packet: Buffer): Buffer[] | undefined {
  if (content.includes(pngKeyword)) return undefined;
  const typed = Buffer.concat([Buffer.from("iTXt"), pngKeyword, Buffer.alloc(4), packet]);
  const chunk = Buffer.concat([uint32(typed.length - 4), typed, uint32(crc32(typed))]);
  return insert(content, pngHeaderBytes, chunk);
}

const jpegNamespace = Buffer.from("http://ns.adobe.com/xap/1.0/\0");

/** A segment APP1, after the one of JFIF, which must be the first. */
function labelJpeg(content: Buffer, packet: Buffer): Buffer[] | undefined {
  if (content.includes(jpegNamespace)) return undefined;
  const hasJfif = content.readUInt16BE(2) === 0xffe0;
  const segment = Buffer.concat([Buffer.from([0xff, 0xe1, 0, 0]), jpegNamespace, packet]);
  segment.writeUInt16BE(segment.length - 2, 2);
  return insert(content, hasJfif ? 4 + content.readUInt16BE(4) : 2, segment);
}

const webpHeaderBytes = 12;
/** The header of the chunk, and ten bytes. */
const extendedChunkBytes = 18;
const xmpFlag = 0x04;
const alphaFlag = 0x10;

/** A chunk at the end, and a flag in the extended header, which a simple image gets first. */
function labelWebp(content: Buffer, packet: Buffer, metadata: ImageMetadata): Buffer[] | undefined {
  const riff = Buffer.from(content.subarray(0, webpHeaderBytes));
  const isExtended = content.toString("latin1", 12, 16) === "VP8X";
  const chunksAt = isExtended ? webpHeaderBytes + extendedChunkBytes : webpHeaderBytes;
  const extended = isExtended
    ? Buffer.from(content.subarray(webpHeaderBytes, chunksAt))
    : riffChunk("VP8X", extendedHeader(metadata));
  const flags = extended[8] ?? 0;
  if ((flags & xmpFlag) !== 0) return undefined;
  extended[8] = flags | xmpFlag;
  const chunks = content.subarray(chunksAt, 8 + content.readUInt32LE(4));
  const label = riffChunk("XMP ", packet);
  riff.writeUInt32LE(riff.length - 8 + extended.length + chunks.length + label.length, 4);
  return [riff, extended, chunks, label];
}

function extendedHeader({ width, height, hasAlpha }: ImageMetadata): Buffer {
  const header = Buffer.alloc(10);
  header[0] = hasAlpha ? alphaFlag : 0;
  header.writeUIntLE(width - 1, 4, 3);
  header.writeUIntLE(height - 1, 7, 3);
  return header;
}

function riffChunk(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, "latin1");
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

function insert(content: Buffer, at: number, inserted: Buffer): Buffer[] {
  return [content.subarray(0, at), inserted, content.subarray(at)];
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
