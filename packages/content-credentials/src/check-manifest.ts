import { createHash, type X509Certificate } from "node:crypto";
import type { ReadBytes } from "@model-gateway/domain/image-blocks";
import type { ImageInput } from "@model-gateway/domain/image-input";
import { TimeSlice } from "@model-gateway/runtime/time-slice";
import { type CborValue, isCborMap, valueAt } from "./cbor.js";
import { type ByteRange, type FoundManifest, findManifests } from "./find-manifests.js";
import { ManifestBudget } from "./manifest-budget.js";
import { ManifestFault, type ManifestFaultCode, UncheckedManifest } from "./manifest-fault.js";
import { type Assertion, decodeMap, type Manifest, readManifest, textAt } from "./read-manifest.js";
import { verifySignature } from "./verify-signature.js";

/** A manifest with thumbnails has some hundred kilobytes. */
const storeBytesMax = 16 * 1024 * 1024;
/** A JPEG cuts a store of this size into some 250. */
const partsMax = 1000;
const exclusionsMax = 1000;
/** Bytes are copied and hashed piece by piece, and other requests run in between. */
const pieceBytes = 512 * 1024;

/** The result of a check. `unchecked`: there is a manifest, of a form that the gateway does not know. */
export type ManifestCheck =
  | { readonly state: "absent" }
  | { readonly state: "unchecked"; readonly reason: string }
  | { readonly state: "invalid"; readonly code: ManifestFaultCode }
  | ({ readonly state: "valid" } & ManifestFacts);

/** The statements of a valid manifest. They are as true as its signer is honest. */
interface ManifestFacts {
  /** The organisation in the signer's certificate, or else its name there. */
  readonly issuer: string | null;
  /** The software that created the image. */
  readonly model: string | null;
  readonly generatedAt: string | null;
  /** Whether the signer left out bytes of the image, besides the manifest itself. */
  readonly hasOtherExclusions: boolean;
}

/**
 * Checks the manifest of an image: its structure, the hashes of its assertions, its signature, and the hash that binds
 * it to the image. Whether the signer is to be trusted is not checked.
 */
export async function checkManifest(image: ImageInput): Promise<ManifestCheck> {
  try {
    const found = await image.inspect(async (read) => {
      const [first, ...others] = await findManifests(image.format, image.bytes, read);
      if (first === undefined) return undefined;
      if (others.length > 0) throw new ManifestFault("manifest.multipleStores");
      return { place: first, store: await readParts(first, read) };
    });
    if (found === undefined) return { state: "absent" };
    return { state: "valid", ...(await verifyManifest(image, found)) };
  } catch (failure) {
    if (failure instanceof ManifestFault) return { state: "invalid", code: failure.code };
    if (failure instanceof UncheckedManifest) return { state: "unchecked", reason: failure.message };
    throw failure;
  }
}

async function readParts({ parts }: FoundManifest, read: ReadBytes): Promise<Buffer> {
  const bytes = parts.reduce((sum, { start, end }) => sum + Math.max(0, end - start), 0);
  if (bytes > storeBytesMax)
    throw new UncheckedManifest(`The manifest has more than ${storeBytesMax} bytes.`);
  if (parts.length > partsMax) throw new UncheckedManifest(`The manifest has more than ${partsMax} parts.`);
  const store = Buffer.allocUnsafeSlow(bytes);
  const slice = new TimeSlice();
  let filled = 0;
  for (const { start, end } of parts) {
    for (let at = start; at < end; at += pieceBytes) {
      const piece = await read(at, Math.min(pieceBytes, end - at));
      filled += piece.copy(store, filled);
      if (slice.isOver) await slice.yield();
    }
  }
  return store.subarray(0, filled);
}

interface ManifestInImage {
  readonly place: FoundManifest;
  readonly store: Buffer;
}

async function verifyManifest(image: ImageInput, { place, store }: ManifestInImage): Promise<ManifestFacts> {
  const budget = new ManifestBudget();
  const manifest = readManifest(store, budget);
  await verifyAssertions(manifest);
  const { certificate } = await verifySignature(manifest, budget);
  const { exclusions, algorithm, hash } = readBinding(manifest, image.bytes, budget);
  // Bytes beside the manifest would be left out in its name.
  if (exclusions.some((range) => isOverlapping(range, place) && !isInside(range, place)))
    throw new ManifestFault("assertion.dataHash.mismatch");
  const actual = await hashWithout(image, exclusions, algorithm);
  if (!actual.equals(hash)) throw new ManifestFault("assertion.dataHash.mismatch");
  return {
    issuer: issuerOf(certificate),
    ...creationOf(manifest, budget),
    hasOtherExclusions: exclusions.some((range) => !isInside(range, place)),
  };
}

/** Every assertion is in the claim, with its hash, and every one of the claim is there. */
async function verifyAssertions({ claim, assertions }: Manifest): Promise<void> {
  const slice = new TimeSlice();
  for (const { label, hash, algorithm = claim.algorithm } of claim.references) {
    const assertion = assertions.get(label);
    if (assertion === undefined) throw new ManifestFault("assertion.missing");
    const actual = await hashOf(assertion.hashed, hashName(algorithm), slice);
    if (!actual.equals(hash)) throw new ManifestFault("assertion.hashedURI.mismatch");
  }
  if (assertions.size > claim.references.length) throw new ManifestFault("assertion.undeclared");
}

async function hashOf(bytes: Buffer, algorithm: string, slice: TimeSlice): Promise<Buffer> {
  const hash = createHash(algorithm);
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    hash.update(bytes.subarray(at, at + pieceBytes));
    if (slice.isOver) await slice.yield();
  }
  return hash.digest();
}

const hashNames: ReadonlySet<string> = new Set(["sha256", "sha384", "sha512"]);

function hashName(algorithm: string | undefined): string {
  const name = algorithm ?? "sha256";
  if (!hashNames.has(name)) throw new ManifestFault("algorithm.unsupported");
  return name;
}

interface Binding {
  /** In order, without overlaps. */
  readonly exclusions: readonly ByteRange[];
  readonly algorithm: string;
  readonly hash: Buffer;
}

/** The assertion that binds the manifest to the bytes of the image. */
function readBinding({ claim, assertions }: Manifest, bytes: number, budget: ManifestBudget): Binding {
  const bindings = [...assertions].filter(([label]) => label.startsWith("c2pa.hash."));
  const [binding] = bindings;
  if (binding === undefined) throw new ManifestFault("claim.hardBindings.missing");
  if (bindings.length > 1) throw new ManifestFault("assertion.multipleHardBindings");
  const [label, { cbor }] = binding;
  if (label !== "c2pa.hash.data")
    throw new UncheckedManifest(
      `The manifest is bound to the image by ${label.slice(0, 40)}, which is not supported.`,
    );
  if (cbor === undefined) throw new ManifestFault("assertion.cbor.invalid");
  const fields = decodeMap(cbor, { budget, code: "assertion.cbor.invalid" });
  const hash = valueAt(fields, "hash");
  const listed = valueAt(fields, "exclusions") ?? [];
  if (!Buffer.isBuffer(hash) || !Array.isArray(listed) || listed.length > exclusionsMax)
    throw new ManifestFault("assertion.dataHash.malformed");
  const exclusions = listed.map(readExclusion);
  const isInOrder = exclusions.every(
    ({ start, end }, index) => start >= (exclusions[index - 1]?.end ?? 0) && end <= bytes,
  );
  if (!isInOrder) throw new ManifestFault("assertion.dataHash.malformed");
  return { exclusions, hash, algorithm: hashName(textAt(fields, "alg") ?? claim.algorithm) };
}

function readExclusion(exclusion: CborValue): ByteRange {
  const start = isCborMap(exclusion) ? valueAt(exclusion, "start") : undefined;
  const length = isCborMap(exclusion) ? valueAt(exclusion, "length") : undefined;
  if (typeof start !== "number" || typeof length !== "number" || length < 1)
    throw new ManifestFault("assertion.dataHash.malformed");
  return { start, end: start + length };
}

/** The hash of a file without some of its bytes. */
async function hashWithout(
  image: ImageInput,
  exclusions: readonly ByteRange[],
  algorithm: string,
): Promise<Buffer> {
  const hash = createHash(algorithm);
  const left = [...exclusions];
  const slice = new TimeSlice();
  let at = 0;
  for await (const chunk of image.stream() as AsyncIterable<Buffer>) {
    const end = at + chunk.length;
    let from = at;
    while (left[0] !== undefined && left[0].start < end) {
      if (left[0].start > from) hash.update(chunk.subarray(from - at, left[0].start - at));
      from = Math.max(from, Math.min(left[0].end, end));
      if (left[0].end > end) break;
      left.shift();
    }
    if (from < end) hash.update(chunk.subarray(from - at));
    at = end;
    if (slice.isOver) await slice.yield();
  }
  return hash.digest();
}

/** The blocks of a store follow each other. */
function isInside({ start, end }: ByteRange, { blocks }: FoundManifest): boolean {
  return start >= (blocks[0]?.start ?? 0) && end <= (blocks.at(-1)?.end ?? 0);
}

function isOverlapping({ start, end }: ByteRange, { blocks }: FoundManifest): boolean {
  return start < (blocks.at(-1)?.end ?? 0) && end > (blocks[0]?.start ?? 0);
}

function issuerOf({ subject }: X509Certificate): string | null {
  const named = (name: string) => new RegExp(`^${name}=(.+)$`, "m").exec(subject)?.[1];
  return (named("O") ?? named("CN"))?.slice(0, textLengthMax) ?? null;
}

const textLengthMax = 256;
const timeLengthMax = 64;

/** The action that created the image: its software, and its time. */
function creationOf(
  { assertions }: Manifest,
  budget: ManifestBudget,
): Pick<ManifestFacts, "model" | "generatedAt"> {
  const created = ["c2pa.actions.v2", "c2pa.actions"]
    .flatMap((label) => actionsIn(assertions.get(label), budget))
    .find((action) => isCborMap(action) && valueAt(action, "action") === "c2pa.created");
  if (!isCborMap(created)) return { model: null, generatedAt: null };
  const agent = valueAt(created, "softwareAgent");
  const model = isCborMap(agent) ? textAt(agent, "name") : agent;
  const when = textAt(created, "when");
  return {
    model: typeof model === "string" ? model.slice(0, textLengthMax) : null,
    generatedAt: isTime(when) ? new Date(when).toISOString() : null,
  };
}

function isTime(text: string | undefined): text is string {
  return text !== undefined && text.length <= timeLengthMax && !Number.isNaN(Date.parse(text));
}

function actionsIn(assertion: Assertion | undefined, budget: ManifestBudget): readonly CborValue[] {
  if (assertion?.cbor === undefined) return [];
  const actions = valueAt(decodeMap(assertion.cbor, { budget, code: "assertion.cbor.invalid" }), "actions");
  return Array.isArray(actions) ? actions : [];
}
