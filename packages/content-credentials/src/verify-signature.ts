import { constants, type KeyObject, verify, X509Certificate } from "node:crypto";
import { type CborMap, type CborValue, decodeCbor, isCborMap, valueAt } from "./cbor.js";
import type { ManifestBudget } from "./manifest-budget.js";
import { ManifestFault, UncheckedManifest } from "./manifest-fault.js";

/** The header of COSE with the algorithm, and that with the certificates. RFC 9052 and RFC 9360. */
const algorithmHeader = 1;
const certificatesHeader = 33;
/** Node parses a certificate on the event loop, name by name. Real ones have one to four kilobytes. */
const certificateBytesMax = 16 * 1024;

interface Algorithm {
  readonly hash: string | null;
  readonly keyTypes: readonly string[];
  readonly isProbabilistic?: true;
}

/** The algorithms that C2PA allows, by their number in COSE. */
const algorithms: ReadonlyMap<CborValue, Algorithm> = new Map<CborValue, Algorithm>([
  [-7, { hash: "sha256", keyTypes: ["ec"] }],
  [-35, { hash: "sha384", keyTypes: ["ec"] }],
  [-36, { hash: "sha512", keyTypes: ["ec"] }],
  [-37, { hash: "sha256", keyTypes: ["rsa", "rsa-pss"], isProbabilistic: true }],
  [-38, { hash: "sha384", keyTypes: ["rsa", "rsa-pss"], isProbabilistic: true }],
  [-39, { hash: "sha512", keyTypes: ["rsa", "rsa-pss"], isProbabilistic: true }],
  [-8, { hash: null, keyTypes: ["ed25519"] }],
]);

/**
 * Verifies that the holder of the certificate in a signature has signed the claim. Whether anyone should trust that
 * certificate is another question, and not asked here.
 */
export async function verifySignature(
  { signature, claimBytes }: { readonly signature: Buffer; readonly claimBytes: Buffer },
  budget: ManifestBudget,
): Promise<{ readonly certificate: X509Certificate }> {
  const { protectedBytes, headers, signed } = readCose(signature, budget);
  const { certificate, publicKey } = readCertificate(headers);
  const algorithm = algorithms.get(valueAt(headers[0], algorithmHeader));
  if (algorithm === undefined) throw new ManifestFault("algorithm.unsupported");
  const message = signedMessage(protectedBytes, claimBytes);
  if (!(await isSignedBy(publicKey, { algorithm, message, signed })))
    throw new ManifestFault("claimSignature.mismatch");
  return { certificate };
}

interface CoseSignature {
  readonly protectedBytes: Buffer;
  /** Those that are signed, and those that are not. */
  readonly headers: readonly [CborMap, CborMap];
  readonly signed: Buffer;
}

/** A signature of COSE whose payload, the claim, is elsewhere. */
function readCose(bytes: Buffer, budget: ManifestBudget): CoseSignature {
  try {
    const cose = decodeCbor(bytes, budget);
    if (!Array.isArray(cose) || cose.length !== 4) throw new Error("It is not a list of four.");
    const [protectedBytes, open, payload, signed] = cose as CborValue[];
    const isWhole = Buffer.isBuffer(protectedBytes) && Buffer.isBuffer(signed) && payload === null;
    if (!isWhole || !isCborMap(open)) throw new Error("A part of it is of another type.");
    const closed = decodeCbor(protectedBytes, budget);
    if (!isCborMap(closed)) throw new Error("Its signed headers are not a map.");
    return { protectedBytes, headers: [closed, open], signed };
  } catch (cause) {
    if (cause instanceof UncheckedManifest) throw cause;
    throw new ManifestFault("claimSignature.mismatch", cause);
  }
}

interface SignerFacts {
  readonly certificate: X509Certificate;
  readonly publicKey: KeyObject;
}

/** The first certificate, which is the signer's. Earlier versions of C2PA have it in the open headers, or by name. */
function readCertificate(headers: CoseSignature["headers"]): SignerFacts {
  const found = headers
    .flatMap((header) => [valueAt(header, certificatesHeader), valueAt(header, "x5chain")])
    .find((value) => value !== undefined);
  const first = Array.isArray(found) ? found[0] : found;
  if (!Buffer.isBuffer(first)) throw new ManifestFault("signingCredential.invalid");
  if (first.length > certificateBytesMax)
    throw new UncheckedManifest(`The certificate of its signer has more than ${certificateBytesMax} bytes.`);
  try {
    const certificate = new X509Certificate(first);
    return { certificate, publicKey: certificate.publicKey };
  } catch (cause) {
    throw new ManifestFault("signingCredential.invalid", cause);
  }
}

/** The list that is signed: a word, the signed headers, nothing, and the claim. RFC 9052, section 4.4. */
function signedMessage(protectedBytes: Buffer, claim: Buffer): Buffer {
  const word = Buffer.from("Signature1");
  return Buffer.concat([
    Buffer.from([0x84, 0x60 + word.length]),
    word,
    byteString(protectedBytes),
    byteString(Buffer.alloc(0)),
    byteString(claim),
  ]);
}

/** A byte string in CBOR, with the shortest length that it can have. */
function byteString(bytes: Buffer): Buffer {
  const { length } = bytes;
  if (length < 24) return Buffer.concat([Buffer.from([0x40 + length]), bytes]);
  const lengthBytes = length < 0x100 ? 1 : length < 0x1_0000 ? 2 : 4;
  const head = Buffer.alloc(1 + lengthBytes);
  head[0] = 0x58 + Math.log2(lengthBytes);
  head.writeUIntBE(length, 1, lengthBytes);
  return Buffer.concat([head, bytes]);
}

interface SignedMessage {
  readonly algorithm: Algorithm;
  readonly message: Buffer;
  readonly signed: Buffer;
}

/** In a thread: a caller chooses the key, and a large one takes long. */
async function isSignedBy(
  publicKey: KeyObject,
  { algorithm, message, signed }: SignedMessage,
): Promise<boolean> {
  const { hash, keyTypes, isProbabilistic } = algorithm;
  if (!keyTypes.includes(publicKey.asymmetricKeyType ?? "")) return false;
  const key =
    isProbabilistic === true
      ? {
          key: publicKey,
          padding: constants.RSA_PKCS1_PSS_PADDING,
          saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
        }
      : { key: publicKey, dsaEncoding: "ieee-p1363" as const };
  try {
    return await new Promise<boolean>((resolve, reject) => {
      verify(hash, message, key, signed, (failure, isValid) =>
        failure ? reject(failure) : resolve(isValid),
      );
    });
  } catch {
    return false;
  }
}
