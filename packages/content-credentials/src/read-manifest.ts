import { type CborMap, type CborValue, decodeCbor, isCborMap, valueAt } from "./cbor.js";
import { type Box, readBoxes, readSuperBox, type SuperBox } from "./jumbf.js";
import type { ManifestBudget } from "./manifest-budget.js";
import { ManifestFault, type ManifestFaultCode, UncheckedManifest } from "./manifest-fault.js";

/** The active manifest of a store: its claim, its signature, and its assertions by label. */
export interface Manifest {
  readonly label: string;
  readonly claim: Claim;
  /** The claim as it was signed. */
  readonly claimBytes: Buffer;
  /** COSE. */
  readonly signature: Buffer;
  readonly assertions: ReadonlyMap<string, Assertion>;
}

interface Claim {
  /** The default hash algorithm of its references. */
  readonly algorithm: string | undefined;
  readonly references: readonly AssertionReference[];
}

/** An assertion, as a claim names it. */
interface AssertionReference {
  readonly label: string;
  readonly hash: Buffer;
  readonly algorithm: string | undefined;
}

export interface Assertion {
  /** The bytes that its hash covers. */
  readonly hashed: Buffer;
  /** The content of its first box of CBOR. Undefined for JSON, images and others. */
  readonly cbor: Buffer | undefined;
}

const referencesMax = 1000;
const urlLengthMax = 2000;
/** The claim is decoded and copied. It lists hashes, and holds nothing large. */
const claimBytesMax = 1024 * 1024;
/** The certificates of the signer, time stamps, and bytes that fill up. */
const signatureBytesMax = 256 * 1024;

/**
 * Reads the manifest that speaks for the image: the last of its store. The others belong to images that went into it.
 *
 * https://spec.c2pa.org/specifications/specifications/2.2/specs/C2PA_Specification.html#_c2pa_box_details
 */
export function readManifest(store: Buffer, budget: ManifestBudget): Manifest {
  const { label, boxes } = inStructure(() => activeManifest(store, budget));
  const parts = inStructure(() => readSuperBoxes(boxes, budget));
  const { claimBytes, version } = findClaim(parts);
  const claim = readClaim(decodeMap(claimBytes, { budget, code: "claim.cbor.invalid" }), {
    manifest: label,
    version,
  });
  const signed = parts.find((part) => part.label === "c2pa.signature");
  const signature = signed?.boxes.find(({ type }) => type === "cbor")?.content;
  if (signature === undefined) throw new ManifestFault("claimSignature.missing");
  refuseLong(signature, signatureBytesMax, "signature");
  return { label, claim, claimBytes, signature, assertions: readAssertions(parts, budget) };
}

function activeManifest(store: Buffer, budget: ManifestBudget): SuperBox {
  const [root, ...others] = readBoxes(store, budget);
  if (root === undefined || others.length > 0) throw new Error("A store is one box.");
  const { type, boxes } = readSuperBox(root, budget);
  const last = boxes.findLast((box) => box.type === "jumb");
  if (type !== "c2pa" || last === undefined) throw new Error("The store has no manifest.");
  const manifest = readSuperBox(last, budget);
  if (manifest.type === "c2um")
    throw new UncheckedManifest("The manifest is an update of an earlier one, which is not supported.");
  if (manifest.type !== "c2ma")
    throw new UncheckedManifest("The manifest is of a type that is not supported.");
  return manifest;
}

function readSuperBoxes(boxes: readonly Box[], budget: ManifestBudget): SuperBox[] {
  return boxes.filter(({ type }) => type === "jumb").map((box) => readSuperBox(box, budget));
}

function refuseLong(bytes: Buffer, bytesMax: number, name: string): void {
  if (bytes.length > bytesMax)
    throw new UncheckedManifest(`The ${name} of the manifest has more than ${bytesMax} bytes.`);
}

/** Anything that is not laid out as C2PA says. */
function inStructure<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof UncheckedManifest) throw cause;
    throw new ManifestFault("manifest.structure.invalid", cause);
  }
}

function findClaim(parts: readonly SuperBox[]): { claimBytes: Buffer; version: 1 | 2 } {
  const claims = parts.filter(({ label }) => label === "c2pa.claim" || label === "c2pa.claim.v2");
  if (claims.length > 1) throw new ManifestFault("claim.multiple");
  const [claim] = claims;
  const claimBytes = claim?.boxes.find(({ type }) => type === "cbor")?.content;
  if (claim === undefined || claimBytes === undefined) throw new ManifestFault("claim.missing");
  refuseLong(claimBytes, claimBytesMax, "claim");
  return { claimBytes, version: claim.label === "c2pa.claim" ? 1 : 2 };
}

function readClaim(claim: CborMap, { manifest, version }: { manifest: string; version: 1 | 2 }): Claim {
  const lists = version === 1 ? ["assertions"] : ["created_assertions", "gathered_assertions"];
  const listed = lists.flatMap((name) => listAt(claim, name));
  if (listed.length === 0 || listed.length > referencesMax) throw new ManifestFault("claim.malformed");
  const references = listed.map((reference) => readReference(reference, manifest));
  if (new Set(references.map(({ label }) => label)).size !== references.length)
    throw new ManifestFault("claim.malformed");
  return { algorithm: textAt(claim, "alg"), references };
}

function listAt(claim: CborMap, name: string): readonly CborValue[] {
  const list = valueAt(claim, name) ?? [];
  if (!Array.isArray(list)) throw new ManifestFault("claim.malformed");
  return list;
}

/** `self#jumbf=c2pa.assertions/<label>`, or the same with the whole path. */
function readReference(reference: CborValue, manifest: string): AssertionReference {
  if (!isCborMap(reference)) throw new ManifestFault("claim.malformed");
  const [url, hash] = [textAt(reference, "url") ?? "", valueAt(reference, "hash")];
  if (url.length > urlLengthMax) throw new ManifestFault("claim.malformed");
  const path = url.replace(/^self#jumbf=/, "").split("/");
  const own = path.length === 5 ? path.slice(3) : path;
  if (path.length === 5 && (path[0] !== "" || path[1] !== "c2pa" || path[2] !== manifest))
    throw new ManifestFault("assertion.outsideManifest");
  const [store, label = "", ...rest] = own;
  if (!url.startsWith("self#jumbf=") || store !== "c2pa.assertions" || label === "" || rest.length > 0)
    throw new ManifestFault("assertion.outsideManifest");
  if (!Buffer.isBuffer(hash)) throw new ManifestFault("claim.malformed");
  return { label, hash, algorithm: textAt(reference, "alg") };
}

function readAssertions(parts: readonly SuperBox[], budget: ManifestBudget): ReadonlyMap<string, Assertion> {
  const [store] = parts.filter(({ label }) => label === "c2pa.assertions");
  const superBoxes = inStructure(() => readSuperBoxes(store?.boxes ?? [], budget));
  // A claim cannot name so many, and each one costs a hash.
  if (superBoxes.length > referencesMax) throw new ManifestFault("assertion.undeclared");
  const assertions = superBoxes.map(({ label, content, boxes: [first] }): [string, Assertion] => [
    label,
    { hashed: content, cbor: first?.type === "cbor" ? first.content : undefined },
  ]);
  if (new Set(assertions.map(([label]) => label)).size !== assertions.length)
    throw new ManifestFault("manifest.structure.invalid");
  return new Map(assertions);
}

interface DecodeOptions {
  readonly budget: ManifestBudget;
  /** The fault of bytes that are not a map. */
  readonly code: ManifestFaultCode;
}

/** A map in CBOR, or the fault. */
export function decodeMap(bytes: Buffer, { budget, code }: DecodeOptions): CborMap {
  try {
    const value = decodeCbor(bytes, budget);
    if (isCborMap(value)) return value;
  } catch (cause) {
    if (cause instanceof UncheckedManifest) throw cause;
    throw new ManifestFault(code, cause);
  }
  throw new ManifestFault(code);
}

export function textAt(map: CborMap, key: string): string | undefined {
  const value = valueAt(map, key);
  return typeof value === "string" ? value : undefined;
}
