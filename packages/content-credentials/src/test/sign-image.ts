import { constants, createHash, createPrivateKey, sign, X509Certificate } from "node:crypto";
import { crc32 } from "node:zlib";
import type { RasterFormat } from "@model-gateway/domain/image-profile";
import { generate } from "selfsigned";
import { encodeCbor, FixedInteger, Tagged } from "./encode-cbor.js";

/** A signer with a certificate that no one trusts. */
export interface Signer {
  readonly certificate: Buffer;
  sign(message: Buffer): Buffer;
  /** Its number in COSE. */
  readonly algorithm: number;
}

export async function createSigner(
  kind: "es256" | "ps256" = "es256",
  { organisation = "Test Images Inc." }: { readonly organisation?: string | null } = {},
): Promise<Signer> {
  const names = [
    { name: "commonName", value: "Test signer" },
    ...(organisation === null ? [] : [{ name: "organizationName", value: organisation }]),
  ];
  const key = kind === "es256" ? { keyType: "ec" as const } : { keyType: "rsa" as const, keySize: 2048 };
  const authority = await generate([{ name: "commonName", value: "Test authority" }], {
    algorithm: "sha256",
    ...key,
    extensions: [{ name: "basicConstraints", cA: true, critical: true }],
  });
  const { cert, private: pem } = await generate(names, {
    algorithm: "sha256",
    ...key,
    ca: { cert: authority.cert, key: authority.private },
    // The rules of C2PA for the certificates of signers.
    extensions: [
      { name: "basicConstraints", cA: false, critical: true },
      { name: "keyUsage", digitalSignature: true, critical: true },
      { name: "extKeyUsage", emailProtection: true },
    ],
  });
  const privateKey = createPrivateKey(pem);
  return {
    certificate: new X509Certificate(cert).raw,
    algorithm: kind === "es256" ? -7 : -37,
    sign: (message) =>
      kind === "es256"
        ? sign("sha256", message, { key: privateKey, dsaEncoding: "ieee-p1363" })
        : sign("sha256", message, {
            key: privateKey,
            padding: constants.RSA_PKCS1_PSS_PADDING,
            saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
          }),
  };
}

export interface SignOptions {
  readonly format: RasterFormat;
  /** The version of the claim. */
  readonly version?: 1 | 2;
  /** The bytes of a thumbnail, which makes the store larger. */
  readonly thumbnailBytes?: number;
  /** The label of the assertion that binds the manifest to the image. */
  readonly binding?: string;
  /** More bytes of the image that are not hashed. */
  readonly excludes?: { readonly start: number; readonly length: number };
  /** Bytes on each side of the manifest that are left out with it, as far as the file has them. */
  readonly wider?: number;
  /** Assertions that the claim does not name. */
  readonly undeclared?: readonly string[];
  /** More assertions, with their fields. */
  readonly assertions?: readonly (readonly [label: string, fields: object])[];
  /** More superboxes of the manifest. */
  readonly parts?: readonly Buffer[];
  /** The fields of the action that created the image. */
  readonly created?: object;
  readonly changeReference?: (reference: ClaimReference, manifest: string) => object;
  readonly changeClaim?: (claim: Readonly<Record<string, unknown>>) => object;
  /** The headers of the signature, besides that of its algorithm. The first ones are signed. */
  readonly headersOf?: (certificate: Buffer) => readonly [readonly (readonly [unknown, unknown])[], object];
}

/** An assertion, as the claim names it. */
export interface ClaimReference {
  readonly url: string;
  readonly hash: Buffer;
}

/** Signs an image by the published structure of C2PA: https://spec.c2pa.org/specifications/specifications/2.2 */
export function signImage(content: Buffer, signer: Signer, options: SignOptions): Buffer {
  // The length of a store does not depend on the values of the binding, so that a first one tells it.
  const { start, length, file: unbound } = embed(content, buildStore(signer, options), options.format);
  const { wider = 0 } = options;
  const first = Math.max(0, start - wider);
  const end = Math.min(unbound.length, start + length + wider);
  const exclusions = [
    { start: first, length: end - first },
    ...(options.excludes === undefined ? [] : [options.excludes]),
  ];
  const { file } = embed(content, buildStore(signer, options, { exclusions }), options.format);
  const hash = hashWithout(file, exclusions);
  return embed(content, buildStore(signer, options, { exclusions, hash }), options.format).file;
}

interface Binding {
  readonly exclusions: readonly { readonly start: number; readonly length: number }[];
  readonly hash?: Buffer;
}

/** The whole store, as one box. */
export function buildStore(signer: Signer, options: SignOptions, binding?: Binding): Buffer {
  const { version = 2, thumbnailBytes = 0, undeclared = [], assertions: more = [], parts = [] } = options;
  const { created, changeReference = (reference) => reference, changeClaim = (claim) => claim } = options;
  const { binding: bindingLabel = "c2pa.hash.data", excludes } = options;
  const { exclusions = [{ start: 0, length: 0 }, ...(excludes ? [excludes] : [])], hash = Buffer.alloc(32) } =
    binding ?? {};
  const manifest = "urn:c2pa:3fad1ead-8ed5-44d0-873b-ea5f58adea82";
  const assertions: (readonly [label: string, superbox: Buffer])[] = [
    cborAssertion(bindingLabel, {
      exclusions: exclusions.map(({ start, length }) => ({
        start: new FixedInteger(start),
        length: new FixedInteger(length),
      })),
      name: "jumbf manifest",
      alg: "sha256",
      hash,
      pad: Buffer.alloc(8),
    }),
    cborAssertion("c2pa.actions.v2", {
      actions: [
        {
          action: "c2pa.created",
          when: new Tagged(0, "2026-11-01T10:20:30Z"),
          softwareAgent: { name: "test-image-1" },
          digitalSourceType: "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia",
          ...created,
        },
      ],
    }),
    ...(thumbnailBytes === 0 ? [] : [thumbnail(thumbnailBytes)]),
    ...more.map(([label, fields]) => cborAssertion(label, fields)),
  ];
  const references = assertions.map(([label, superbox]) => {
    const url = `self#jumbf=c2pa.assertions/${label}`;
    // Without the header of the superbox.
    const hash = createHash("sha256").update(superbox.subarray(8)).digest();
    return changeReference({ url, hash }, manifest);
  });
  const fields = {
    instanceID: "xmp:iid:a8b1c2d3",
    "dc:format": `image/${options.format}`,
    ...(version === 1 ? { claim_generator: "test" } : {}),
    claim_generator_info: version === 1 ? [{ name: "test" }] : { name: "test" },
    signature: `self#jumbf=/c2pa/${manifest}/c2pa.signature`,
    ...(version === 1 ? { assertions: references } : { created_assertions: references }),
    alg: "sha256",
  };
  const claim = encodeCbor(changeClaim(fields));
  const others = undeclared.map((label) => cborAssertion(label, {}));
  return superbox("c2pa", "c2pa", [
    superbox("c2ma", manifest, [
      superbox(
        "c2as",
        "c2pa.assertions",
        [...assertions, ...others].map(([, one]) => one),
      ),
      superbox("c2cl", version === 1 ? "c2pa.claim" : "c2pa.claim.v2", [box("cbor", claim)]),
      superbox("c2cs", "c2pa.signature", [box("cbor", signClaim(claim, signer, options))]),
      ...parts,
    ]),
  ]);
}

function cborAssertion(label: string, fields: object): [string, Buffer] {
  return [label, superbox("cbor", label, [box("cbor", encodeCbor(fields))])];
}

/** Of bytes that do not matter. */
function thumbnail(bytes: number): [string, Buffer] {
  const type = Buffer.from("40cb0c32bb8a489da70b2ad6f47f4369", "hex");
  const described = Buffer.concat([type, Buffer.from([3]), Buffer.from("c2pa.thumbnail.claim\0")]);
  const boxes = [
    box("jumd", described),
    box("bfdb", Buffer.from("\0image/jpeg\0")),
    box("bidb", Buffer.alloc(bytes, 7)),
  ];
  return ["c2pa.thumbnail.claim", box("jumb", Buffer.concat(boxes))];
}

function signClaim(claim: Buffer, signer: Signer, { headersOf = inSignedHeaders }: SignOptions): Buffer {
  const [closed, open] = headersOf(signer.certificate);
  const headers = encodeCbor(new Map<unknown, unknown>([[1, signer.algorithm], ...closed]));
  const signature = signer.sign(encodeCbor(["Signature1", headers, Buffer.alloc(0), claim]));
  return encodeCbor(new Tagged(18, [headers, { pad: Buffer.alloc(16), ...open }, null, signature]));
}

const inSignedHeaders: NonNullable<SignOptions["headersOf"]> = (certificate) => [[[33, [certificate]]], {}];

const typeEnd = Buffer.from("00110010800000aa00389b71", "hex");

export function superbox(type: string, label: string, boxes: readonly Buffer[]): Buffer {
  const described = Buffer.concat([Buffer.from(type), typeEnd, Buffer.from([3]), Buffer.from(`${label}\0`)]);
  return box("jumb", Buffer.concat([box("jumd", described), ...boxes]));
}

export function box(type: string, content: Buffer): Buffer {
  return Buffer.concat([uint32(content.length + 8), Buffer.from(type), content]);
}

interface Embedded {
  readonly file: Buffer;
  /** The bytes that hold the store. */
  readonly start: number;
  readonly length: number;
}

/** Puts a store into an image. */
export function embed(content: Buffer, store: Buffer, format: RasterFormat): Embedded {
  switch (format) {
    case "png":
      return insert(content, 33, pngChunk("caBX", store));
    case "jpeg":
      return insert(content, 2, jpegSegments(store));
    case "webp": {
      const padding = Buffer.alloc(store.length % 2);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(store.length);
      const chunk = Buffer.concat([Buffer.from("C2PA"), length, store, padding]);
      const { file, start } = insert(content, content.length, chunk);
      file.writeUInt32LE(file.length - 8, 4);
      return { file, start, length: 8 + store.length };
    }
  }
}

function insert(content: Buffer, start: number, inserted: Buffer): Embedded {
  const file = Buffer.concat([content.subarray(0, start), inserted, content.subarray(start)]);
  return { file, start, length: inserted.length };
}

export function pngChunk(type: string, content: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), content]);
  return Buffer.concat([uint32(content.length), typed, uint32(crc32(typed))]);
}

/** A segment has at most 65,533 bytes, of which 18 are its headers and those of the box. */
const segmentContentMax = 65_533 - 8 - 8;

function jpegSegments(store: Buffer): Buffer {
  const [header, content] = [store.subarray(0, 8), store.subarray(8)];
  const segments: Buffer[] = [];
  for (let start = 0; start < content.length; start += segmentContentMax) {
    const part = content.subarray(start, start + segmentContentMax);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(2 + 8 + 8 + part.length);
    segments.push(
      Buffer.from([0xff, 0xeb]),
      length,
      Buffer.from("JP\0\x01", "latin1"),
      uint32(segments.length / 6 + 1),
      header,
      part,
    );
  }
  return Buffer.concat(segments);
}

function hashWithout(file: Buffer, exclusions: Binding["exclusions"]): Buffer {
  const hash = createHash("sha256");
  let at = 0;
  for (const { start, length } of exclusions) {
    hash.update(file.subarray(at, start));
    at = start + length;
  }
  return hash.update(file.subarray(at)).digest();
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
