import { type CborMap, type CborValue, decodeCbor, isCborMap } from "./cbor.js";
import { type Box, readBoxes, readSuperBox, type SuperBox } from "./jumbf.js";
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

export interface Claim {
  /** The default hash algorithm of its references. */
  readonly algorithm: string | undefined;
  readonly references: readonly AssertionReference[];
}

/** An assertion, as a claim names it. */
export interface AssertionReference {
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

/**
 * Reads the manifest that speaks for the image: the last of its store. The others belong to images that went into it.
 *
 * https://spec.c2pa.org/specifications/specifications/2.2/specs/C2PA_Specification.html#_c2pa_box_details
 */
export function readManifest(store: Buffer): Manifest {
  const { label, boxes } = inStructure(() => activeManifest(store));
  const parts = inStructure(() => boxes.filter(({ type }) => type === "jumb").map(readSuperBox));
  const { claimBytes, version } = findClaim(parts);
  const claim = readClaim(claimBytes, { manifest: label, version });
  const signature = parts.find((part) => part.label === "c2pa.signature");
  const signatureBytes = signature?.boxes.find(({ type }) => type === "cbor")?.content;
  if (signatureBytes === undefined) throw new ManifestFault("claimSignature.missing");
  return { label, claim, claimBytes, signature: signatureBytes, assertions: readAssertions(parts) };
}

function activeManifest(store: Buffer): SuperBox {
  const [root, ...others] = readBoxes(store);
  if (root === undefined || others.length > 0) throw new Error("A store is one box.");
  const { type, boxes } = readSuperBox(root);
  const last = boxes.findLast((box) => box.type === "jumb");
  if (type !== "c2pa" || last === undefined) throw new Error("The store has no manifest.");
  const manifest = readSuperBox(last);
  if (manifest.type === "c2um")
    throw new UncheckedManifest("The manifest is an update of an earlier one, which is not supported.");
  if (manifest.type !== "c2ma")
    throw new UncheckedManifest("The manifest is of a type that is not supported.");
  return manifest;
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
  return { claimBytes, version: claim.label === "c2pa.claim" ? 1 : 2 };
}

function readClaim(bytes: Buffer, { manifest, version }: { manifest: string; version: 1 | 2 }): Claim {
  const claim = decodeMap(bytes, "claim.cbor.invalid");
  const lists = version === 1 ? ["assertions"] : ["created_assertions", "gathered_assertions"];
  const listed = lists.flatMap((name) => listAt(claim, name));
  if (listed.length === 0 || listed.length > referencesMax) throw new ManifestFault("claim.malformed");
  const references = listed.map((reference) => readReference(reference, manifest));
  if (new Set(references.map(({ label }) => label)).size !== references.length)
    throw new ManifestFault("claim.malformed");
  return { algorithm: textAt(claim, "alg"), references };
}

function listAt(claim: CborMap, name: string): readonly CborValue[] {
  const list = claim.get(name) ?? [];
  if (!Array.isArray(list)) throw new ManifestFault("claim.malformed");
  return list;
}

/** `self#jumbf=c2pa.assertions/<label>`, or the same with the whole path. */
function readReference(reference: CborValue, manifest: string): AssertionReference {
  if (!isCborMap(reference)) throw new ManifestFault("claim.malformed");
  const [url, hash] = [textAt(reference, "url") ?? "", reference.get("hash")];
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

function readAssertions(parts: readonly SuperBox[]): ReadonlyMap<string, Assertion> {
  const [store] = parts.filter(({ label }) => label === "c2pa.assertions");
  const boxes: readonly Box[] = store?.boxes.filter(({ type }) => type === "jumb") ?? [];
  const assertions = inStructure(() => boxes.map(readSuperBox)).map(
    ({ label, content, boxes: [first] }): [string, Assertion] => [
      label,
      { hashed: content, cbor: first?.type === "cbor" ? first.content : undefined },
    ],
  );
  if (new Set(assertions.map(([label]) => label)).size !== assertions.length)
    throw new ManifestFault("manifest.structure.invalid");
  return new Map(assertions);
}

/** A map in CBOR, or the fault. */
export function decodeMap(bytes: Buffer, code: ManifestFaultCode): CborMap {
  try {
    const value = decodeCbor(bytes);
    if (isCborMap(value)) return value;
  } catch (cause) {
    throw new ManifestFault(code, cause);
  }
  throw new ManifestFault(code);
}

export function textAt(map: CborMap, key: string): string | undefined {
  const value = map.get(key);
  return typeof value === "string" ? value : undefined;
}
