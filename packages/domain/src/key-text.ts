import { createHmac, hash, randomBytes } from "node:crypto";

/** Lets people and secret scanners recognise a key. */
type KeyPrefix = "mg_" | "mg_admin_" | "mg_session_" | "mg_local_" | "mg_code_";

const secretBytes = 20;
/** Crockford's base 32: no letters that look alike. https://www.crockford.com/base32.html */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const secretLength = (secretBytes * 8) / 5;
const checksumLength = 6;

/** A new key with 160 random bits. */
export function createKeyText(prefix: KeyPrefix): string {
  const text = `${prefix}${encode(randomBytes(secretBytes))}`;
  return `${text}${checksum(text)}`;
}

/** Whether a text has the form of a key. A truncated or mistyped key needs no lookup. */
export function isKeyText(text: string, prefix: KeyPrefix): boolean {
  if (text.length !== prefix.length + secretLength + checksumLength || !text.startsWith(prefix)) return false;
  return checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);
}

/** Detects mistakes, not guesses: the checksum is public. */
function checksum(text: string): string {
  return encode(hash("sha256", text, "buffer").subarray(0, 5)).slice(0, checksumLength);
}

/** Five bits a letter. The number of bytes must be a multiple of five. */
function encode(bytes: Buffer): string {
  let text = "";
  let bits = 0;
  let count = 0;
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xfff;
    for (count += 8; count >= 5; count -= 5) text += alphabet[(bits >> (count - 5)) & 31];
  }
  return text;
}

/** Keyed, so that a copy of the database without the secret does not allow testing guesses. */
export type KeyDigest = (text: string) => Buffer;

/** HMAC-SHA-256. A slower hash adds nothing: a key has 160 random bits. */
export function createKeyDigest(secret: string): KeyDigest {
  return (text) => createHmac("sha256", secret).update(text).digest();
}
