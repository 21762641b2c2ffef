import { createHash } from "node:crypto";
import { encodeCbor } from "./encode-cbor.js";
import { box, superbox } from "./sign-image.js";

/** Some megabytes, and a claim as long as it may be. */
const many = 1_000_000;

/**
 * Manifest stores whose claims, boxes and signatures are small to send and long to read, and why they are not read. Each
 * is made when it is needed.
 */
export function hostileStores(): readonly (readonly [name: string, make: () => Buffer, reason: string])[] {
  const tooMany = "The manifest has more than 8000 values.";
  return [
    ["a claim of empty pieces", () => withClaim(pieces(0x5f, 0x40)), tooMany],
    ["a claim of empty pieces of text", () => withClaim(pieces(0x7f, 0x60)), tooMany],
    ["a claim of 15 million empty pieces", () => withClaim(pieces(0x5f, 0x40, 15 * many)), longClaim],
    ["a claim of keys that are numbers", () => withClaim(numberedMap()), tooMany],
    ["a claim of keys of one bucket", () => withClaim(oneBucketMap()), tooMany],
    ["a claim of two megabytes", () => withClaim(Buffer.alloc(2_000_000)), longClaim],
    ["boxes without content", () => store([repeated(box("free", Buffer.alloc(0)))]), tooMany],
    ["parts without content", () => store([repeated(superbox("none", "", []), many / 4)]), tooMany],
    ["assertions without content", withAssertions, tooMany],
    ["a signature of empty pieces", () => withSignature(pieces(0x5f, 0x40, many / 4)), tooMany],
    ["a signature of a million empty pieces", () => withSignature(pieces(0x5f, 0x40)), longSignature],
    [
      "signed headers of empty pieces",
      () => withSignature(signatureOf(pieces(0x5f, 0x40, many / 4))),
      tooMany,
    ],
    ["a long signature", () => withSignature(Buffer.alloc(300_000)), longSignature],
    ["a long certificate", () => withSignature(signedBy(longCertificate())), longSigner],
  ];
}

const manifest = "urn:c2pa:3fad1ead-8ed5-44d0-873b-ea5f58adea82";
const longSigner = "The certificate of its signer has more than 16384 bytes.";

const longClaim = "The claim of the manifest has more than 1048576 bytes.";
const longSignature = "The signature of the manifest has more than 262144 bytes.";

function repeated(unit: Buffer, times = many): Buffer {
  return Buffer.alloc(times * unit.length, unit);
}

function store(boxes: readonly Buffer[]): Buffer {
  return superbox("c2pa", "c2pa", [superbox("c2ma", manifest, boxes)]);
}

function part(label: string, cbor: Buffer): Buffer {
  return superbox("c2cl", label, [box("cbor", cbor)]);
}

function withClaim(claim: Buffer): Buffer {
  return store([part("c2pa.claim.v2", claim), part("c2pa.signature", encodeCbor([]))]);
}

function withAssertions(): Buffer {
  const assertions = superbox("c2as", "c2pa.assertions", [repeated(superbox("cbor", "one", []), many / 4)]);
  const created = [{ url: "self#jumbf=c2pa.assertions/one", hash: Buffer.alloc(32) }];
  return store([
    assertions,
    part("c2pa.claim.v2", encodeCbor({ created_assertions: created })),
    part("c2pa.signature", encodeCbor([])),
  ]);
}

/** Its only assertion has the right hash, so that the signature is read. */
function withSignature(signature: Buffer): Buffer {
  const assertion = superbox("cbor", "one", []);
  const url = "self#jumbf=c2pa.assertions/one";
  const hash = createHash("sha256").update(assertion.subarray(8)).digest();
  return store([
    superbox("c2as", "c2pa.assertions", [assertion]),
    part("c2pa.claim.v2", encodeCbor({ created_assertions: [{ url, hash }] })),
    part("c2pa.signature", signature),
  ]);
}

function signatureOf(headers: Buffer): Buffer {
  return encodeCbor([headers, {}, null, Buffer.alloc(64)]);
}

function signedBy(certificate: Buffer): Buffer {
  return signatureOf(
    encodeCbor(
      new Map<unknown, unknown>([
        [1, -7],
        [33, [certificate]],
      ]),
    ),
  );
}

/** A string in pieces of nothing. */
function pieces(start: number, piece: number, count = many): Buffer {
  return Buffer.concat([Buffer.from([start]), Buffer.alloc(count, piece), Buffer.from([0xff])]);
}

const pairsOfMap = 50_000;

function numberedMap(): Buffer {
  return mapOf(Array.from({ length: pairsOfMap }, (_, index) => index));
}

/** V8 would put all of these keys into one bucket of a `Map`: its hash of a number of 31 bits has no seed. */
function oneBucketMap(): Buffer {
  const keys: number[] = [];
  for (let hash = 0; keys.length < pairsOfMap; hash += 32_768) {
    const key = unhash(hash);
    if (key < 2 ** 31) keys.push(key);
  }
  return mapOf(keys);
}

function mapOf(keys: readonly number[]): Buffer {
  const pairs = Buffer.alloc(3 + keys.length * 6);
  pairs.writeUIntBE(0xb90000 + keys.length, 0, 3);
  for (const [index, key] of keys.entries()) {
    pairs[3 + index * 6] = 0x1a;
    pairs.writeUInt32BE(key, 4 + index * 6);
  }
  return pairs;
}

/** The number with this hash: the steps of V8's `ComputeUnseededHash`, backwards. */
function unhash(hash: number): number {
  let key = hash;
  key = (key ^ (key >>> 16)) >>> 0;
  key = Math.imul(key, inverseOf(2057)) >>> 0;
  for (let bits = 4; bits < 32; bits *= 2) key = (key ^ (key >>> bits)) >>> 0;
  key = Math.imul(key, inverseOf(5)) >>> 0;
  key = (key ^ (key >>> 12) ^ (key >>> 24)) >>> 0;
  return Math.imul(key + 1, inverseOf(32_767)) >>> 0;
}

/** Of an odd number, among numbers of 32 bits. */
function inverseOf(odd: number): number {
  let inverse = odd;
  for (let round = 0; round < 5; round += 1) inverse = Math.imul(inverse, 2 - Math.imul(odd, inverse));
  return inverse;
}

/** The start of a certificate that is a list of names. */
function longCertificate(): Buffer {
  return Buffer.alloc(200_000, 0x30);
}
