import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { CatalogueError } from "./open-catalogue.js";

const signatureBytes = 64;

/**
 * Refuses a catalogue that was not signed with the private half of the key.
 *
 * @param signature Ed25519 over the bytes of the file, in base64.
 */
export function checkSignature(
  content: Buffer,
  signature: string,
  { pem, name }: { readonly pem: string; readonly name: string },
): void {
  const bytes = Buffer.from(signature.trim(), "base64");
  if (bytes.length !== signatureBytes)
    throw new CatalogueError("The signature is not an Ed25519 signature in base64.");
  if (!verify(null, content, readKey(pem, name), bytes))
    throw new CatalogueError(
      `The signature is not from ${name}. The catalogue was changed, or signed by others.`,
    );
}

function readKey(pem: string, name: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPublicKey(pem);
  } catch (cause) {
    throw new CatalogueError(`${name} is not a public key in PEM.`, { cause });
  }
  if (key.asymmetricKeyType !== "ed25519") throw new CatalogueError(`${name} is not an Ed25519 key.`);
  return key;
}
