import type { ManifestBudget } from "./manifest-budget.js";

/** A value in CBOR. */
export type CborValue =
  | number
  | bigint
  | string
  | boolean
  | null
  | undefined
  | Buffer
  | readonly CborValue[]
  | CborMap;

/** Read it with `valueAt`. */
export type CborMap = ReadonlyMap<CborKey, CborValue>;

/**
 * The key of a map, with a letter before it. V8 hashes numbers, and texts that are numbers, without a seed: 50,000 keys
 * of one bucket took ten seconds.
 */
type CborKey = `t${string}` | `n${number}`;

function keyOf(key: string | number): CborKey {
  return typeof key === "string" ? `t${key}` : `n${key}`;
}

export function valueAt(map: CborMap, key: string | number): CborValue {
  return map.get(keyOf(key));
}

const depthMax = 32;

/**
 * Decodes one item of CBOR (RFC 8949) and nothing after it. Tags are left out. Throws for anything else. The keys of maps
 * are texts and whole numbers: C2PA and COSE have no others.
 */
export function decodeCbor(bytes: Buffer, budget: ManifestBudget): CborValue {
  const reader = new CborReader(bytes, budget);
  const value = reader.read(0);
  if (reader.position !== bytes.length) throw new Error("There are bytes after the CBOR item.");
  return value;
}

export function isCborMap(value: CborValue): value is CborMap {
  return value instanceof Map;
}

/** The start of an item: its type, the argument in its first bytes, and whether its end is marked instead. */
interface Head {
  readonly major: number;
  readonly argument: number;
  readonly isIndefinite: boolean;
}

const endMark = 0xff;

class CborReader {
  readonly #bytes: Buffer;
  readonly #budget: ManifestBudget;
  #at = 0;

  constructor(bytes: Buffer, budget: ManifestBudget) {
    this.#bytes = bytes;
    this.#budget = budget;
  }

  get position(): number {
    return this.#at;
  }

  read(depth: number): CborValue {
    this.#budget.countItem();
    if (depth > depthMax) throw new Error("The CBOR is nested too deep.");
    const first = this.#take(1)[0] ?? 0;
    if (first >> 5 === 7) return this.#simple(first & 31);
    const head = this.#head(first);
    switch (head.major) {
      case 0:
        return head.argument;
      case 1:
        return -1 - head.argument;
      case 2:
        return this.#string(head);
      case 3:
        return this.#text(this.#string(head));
      case 4:
        return this.#list(head, depth);
      case 5:
        return this.#map(head, depth);
      default:
        return this.read(depth + 1);
    }
  }

  #head(first: number): Head {
    const [major, info] = [first >> 5, first & 31];
    if (info < 24) return { major, argument: info, isIndefinite: false };
    if (info === 31 && major >= 2 && major <= 5) return { major, argument: 0, isIndefinite: true };
    if (info > 27) throw new Error("The CBOR has a length that is not defined.");
    const bytes = this.#take(2 ** (info - 24));
    const argument = info === 27 ? Number(bytes.readBigUInt64BE()) : bytes.readUIntBE(0, bytes.length);
    if (!Number.isSafeInteger(argument)) throw new Error("The CBOR has a number that is too large.");
    return { major, argument, isIndefinite: false };
  }

  #text(bytes: Buffer): string {
    this.#budget.countCopy(bytes.length);
    return bytes.toString();
  }

  /** The bytes of a text or byte string. It is in pieces where its end is marked. */
  #string({ major, argument, isIndefinite }: Head): Buffer {
    if (!isIndefinite) return this.#take(argument);
    const pieces: Buffer[] = [];
    while (!this.#isEnd()) {
      this.#budget.countItem();
      const head = this.#head(this.#take(1)[0] ?? 0);
      if (head.major !== major || head.isIndefinite) throw new Error("The CBOR has a string in odd pieces.");
      this.#budget.countCopy(head.argument);
      pieces.push(this.#take(head.argument));
    }
    return Buffer.concat(pieces);
  }

  #list({ argument, isIndefinite }: Head, depth: number): CborValue[] {
    const list: CborValue[] = [];
    while (isIndefinite ? !this.#isEnd() : list.length < argument) list.push(this.read(depth + 1));
    return list;
  }

  #map({ argument, isIndefinite }: Head, depth: number): CborMap {
    const map = new Map<CborKey, CborValue>();
    for (let pairs = 0; isIndefinite ? !this.#isEnd() : pairs < argument; pairs += 1) {
      const key = this.#key(depth + 1);
      if (map.has(key)) throw new Error("The CBOR has a key twice.");
      map.set(key, this.read(depth + 1));
    }
    return map;
  }

  #key(depth: number): CborKey {
    const key = this.read(depth);
    if (typeof key === "string" || Number.isInteger(key)) return keyOf(key as string | number);
    throw new Error("The CBOR has a key that is neither a text nor a whole number.");
  }

  #isEnd(): boolean {
    if (this.#bytes[this.#at] !== endMark) return false;
    this.#at += 1;
    return true;
  }

  #simple(info: number): CborValue {
    switch (info) {
      case 20:
        return false;
      case 21:
        return true;
      case 22:
        return null;
      case 23:
        return undefined;
      case 25:
        return halfFloat(this.#take(2).readUInt16BE());
      case 26:
        return this.#take(4).readFloatBE();
      case 27:
        return this.#take(8).readDoubleBE();
      default:
        throw new Error("The CBOR has a value that is not defined.");
    }
  }

  #take(length: number): Buffer {
    if (this.#at + length > this.#bytes.length) throw new Error("The CBOR ends too early.");
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}

/** RFC 8949, appendix D. */
function halfFloat(bits: number): number {
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const sign = bits & 0x8000 ? -1 : 1;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}
