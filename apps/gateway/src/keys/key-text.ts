import { createHmac, hash, randomBytes } from "node:crypto";

/** What a key begins with, so that people and secret scanners know what it is. */
export type KeyPrefix = "mg_" | "mg_admin_";

const secretBytes = 20;
/** Digits and letters without those that look alike. https://www.crockford.com/base32.html */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const secretLength = (secretBytes * 8) / 5;
const checksumLength = 6;

/** Makes a key of 160 random bits. */
export function makeKeyText(prefix: KeyPrefix): string {
  const text = `${prefix}${encode(randomBytes(secretBytes))}`;
  return `${text}${checksum(text)}`;
}

/** Whether a text can be a key at all. One that was cut off or mistyped need not be looked for. */
export function isKeyText(text: string, prefix: KeyPrefix): boolean {
  if (text.length !== prefix.length + secretLength + checksumLength || !text.startsWith(prefix)) return false;
  return checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);
}

/** It guards against mistakes, not against guesses: anybody can work it out. */
function checksum(text: string): string {
  return encode(hash("sha256", text, "buffer").subarray(0, 5)).slice(0, checksumLength);
}

/** Five bits a letter, and no bits left over: the bytes must come in fives. */
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

/** How keys are kept: who has the database, but not the secret, cannot even test a guess. */
export type KeyDigest = (text: string) => Buffer;

/** HMAC with SHA-256. A key has 160 random bits, so that nothing slower would make it harder to guess. */
export function createKeyDigest(secret: string): KeyDigest {
  return (text) => createHmac("sha256", secret).update(text).digest();
}
