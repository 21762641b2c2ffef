import { crc32 } from "node:zlib";

export function pngChunk(type: string, content: Uint8Array = Buffer.alloc(0)): Buffer {
  const typed = Buffer.concat([Buffer.from(type), content]);
  return Buffer.concat([uint32(content.length), typed, uint32(crc32(typed))]);
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
