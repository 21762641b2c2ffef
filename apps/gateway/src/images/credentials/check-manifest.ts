import { createHash, type X509Certificate } from "node:crypto";
import type { ReadBytes } from "../../domain/image-header.js";
import type { ImageInput } from "../../domain/image-input.js";
import { type CborValue, isCborMap } from "./cbor.js";
import { type ByteRange, type FoundManifest, findManifests } from "./find-manifests.js";
import { ManifestFault, type ManifestFaultCode, UncheckedManifest } from "./manifest-fault.js";
import { type Assertion, decodeMap, type Manifest, readManifest, textAt } from "./read-manifest.js";
import { verifySignature } from "./verify-signature.js";

/** A manifest with thumbnails has some hundred kilobytes. */
const storeBytesMax = 16 * 1024 * 1024;
const exclusionsMax = 1000;

/** The result of a check. `unchecked`: there is a manifest, of a form that the gateway does not know. */
export type ManifestCheck =
  | { readonly state: "absent" }
  | { readonly state: "unchecked"; readonly reason: string }
  | { readonly state: "invalid"; readonly code: ManifestFaultCode }
  | ({ readonly state: "valid" } & ManifestFacts);

/** The statements of a valid manifest. They are as true as its signer is honest. */
export interface ManifestFacts {
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
  const pieces: Buffer[] = [];
  for (const { start, end } of parts) pieces.push(await read(start, Math.max(0, end - start)));
  return Buffer.concat(pieces);
}

interface ManifestInImage {
  readonly place: FoundManifest;
  readonly store: Buffer;
}

async function verifyManifest(image: ImageInput, { place, store }: ManifestInImage): Promise<ManifestFacts> {
  const manifest = readManifest(store);
  verifyAssertions(manifest);
  const { certificate } = verifySignature(manifest.signature, manifest.claimBytes);
  const { exclusions, algorithm, hash } = readBinding(manifest, image.bytes);
  // Bytes beside the manifest would be left out in its name.
  if (exclusions.some((range) => isOverlapping(range, place) && !isInside(range, place)))
    throw new ManifestFault("assertion.dataHash.mismatch");
  const actual = await hashWithout(image, exclusions, algorithm);
  if (!actual.equals(hash)) throw new ManifestFault("assertion.dataHash.mismatch");
  return {
    issuer: issuerOf(certificate),
    ...creationOf(manifest),
    hasOtherExclusions: exclusions.some((range) => !isInside(range, place)),
  };
}

/** Every assertion is in the claim, with its hash, and every one of the claim is there. */
function verifyAssertions({ claim, assertions }: Manifest): void {
  for (const { label, hash, algorithm = claim.algorithm } of claim.references) {
    const assertion = assertions.get(label);
    if (assertion === undefined) throw new ManifestFault("assertion.missing");
    const actual = createHash(hashName(algorithm)).update(assertion.hashed).digest();
    if (!actual.equals(hash)) throw new ManifestFault("assertion.hashedURI.mismatch");
  }
  if (assertions.size > claim.references.length) throw new ManifestFault("assertion.undeclared");
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
function readBinding({ claim, assertions }: Manifest, bytes: number): Binding {
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
  const fields = decodeMap(cbor, "assertion.cbor.invalid");
  const hash = fields.get("hash");
  const listed = fields.get("exclusions") ?? [];
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
  const start = isCborMap(exclusion) ? exclusion.get("start") : undefined;
  const length = isCborMap(exclusion) ? exclusion.get("length") : undefined;
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

/** The action that created the image: its software, and its time. */
function creationOf({ assertions }: Manifest): Pick<ManifestFacts, "model" | "generatedAt"> {
  const created = ["c2pa.actions.v2", "c2pa.actions"]
    .flatMap((label) => actionsIn(assertions.get(label)))
    .find((action) => isCborMap(action) && action.get("action") === "c2pa.created");
  if (!isCborMap(created)) return { model: null, generatedAt: null };
  const agent = created.get("softwareAgent");
  const model = isCborMap(agent) ? textAt(agent, "name") : agent;
  const when = textAt(created, "when");
  return {
    model: typeof model === "string" ? model.slice(0, textLengthMax) : null,
    generatedAt: when === undefined || Number.isNaN(Date.parse(when)) ? null : new Date(when).toISOString(),
  };
}

function actionsIn(assertion: Assertion | undefined): readonly CborValue[] {
  if (assertion?.cbor === undefined) return [];
  const actions = decodeMap(assertion.cbor, "assertion.cbor.invalid").get("actions");
  return Array.isArray(actions) ? actions : [];
}
