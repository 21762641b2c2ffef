/** A number that always takes five bytes, so that its value does not change the length of a document. */
export class FixedInteger {
  constructor(readonly value: number) {}
}

export class Tagged {
  constructor(
    readonly tag: number,
    readonly value: unknown,
  ) {}
}

/** Encodes a value in CBOR (RFC 8949). */
export function encodeCbor(value: unknown): Buffer {
  if (value === null) return Buffer.from([0xf6]);
  if (typeof value === "boolean") return Buffer.from([value ? 0xf5 : 0xf4]);
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return joined(head(3, Buffer.byteLength(value)), Buffer.from(value));
  if (Buffer.isBuffer(value)) return joined(head(2, value.length), value);
  if (Array.isArray(value)) return joined(head(4, value.length), ...value.map(encodeCbor));
  if (value instanceof Tagged) return joined(head(6, value.tag), encodeCbor(value.value));
  if (value instanceof FixedInteger) {
    const bytes = Buffer.alloc(5);
    bytes[0] = 0x1a;
    bytes.writeUInt32BE(value.value, 1);
    return bytes;
  }
  const entries = value instanceof Map ? [...value] : Object.entries(value as object);
  return joined(
    head(5, entries.length),
    ...entries.flatMap(([key, one]) => [encodeCbor(key), encodeCbor(one)]),
  );
}

function head(major: number, argument: number): Buffer {
  if (argument < 24) return Buffer.from([(major << 5) + argument]);
  const lengthBytes = argument < 0x100 ? 1 : argument < 0x1_0000 ? 2 : 4;
  const bytes = Buffer.alloc(1 + lengthBytes);
  bytes[0] = (major << 5) + 24 + Math.log2(lengthBytes);
  bytes.writeUIntBE(argument, 1, lengthBytes);
  return bytes;
}

function joined(...parts: readonly Buffer[]): Buffer {
  return Buffer.concat(parts);
}
