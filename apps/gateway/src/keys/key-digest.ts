import { createHmac } from "node:crypto";

/** How keys are kept: who has the database, but not the secret, can not even test a guess. */
export type KeyDigest = (text: string) => Buffer;

/** HMAC with SHA-256. A key has 160 random bits, so that nothing slower would make it harder to guess. */
export function createKeyDigest(secret: string): KeyDigest {
  return (text) => createHmac("sha256", secret).update(text).digest();
}
