import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Links that only this gateway can make, and that stop working by themselves. */
export interface SignedLinks {
  sign(file: string): { readonly path: string };
  check(file: string, expires: string | undefined, signature: string | undefined): LinkVerdict;
  /** How many whole seconds a link with this expiry has left. */
  secondsLeft(expires: string): number;
}

export type LinkVerdict = "valid" | "invalid" | "expired";

interface LinkSettings {
  readonly secret: Buffer;
  readonly ttlMs: number;
  /** Unix milliseconds. */
  readonly now: () => number;
}

export function createSignedLinks({ secret, ttlMs, now }: LinkSettings): SignedLinks {
  const signatureOf = (file: string, expires: string) =>
    createHmac("sha256", secret).update(`${file}\n${expires}`).digest("base64url");
  return {
    sign: (file) => {
      const expires = String(Math.ceil((now() + ttlMs) / 1000));
      const query = `expires=${expires}&signature=${signatureOf(file, expires)}`;
      return { path: `/v1/images/files/${file}?${query}` };
    },
    check: (file, expires, signature) => {
      if (expires === undefined || signature === undefined || !unixSeconds.test(expires)) return "invalid";
      // Before the expiry, so that a forged link never learns whether it would have been in time.
      if (!isSame(signature, signatureOf(file, expires))) return "invalid";
      return now() < Number(expires) * 1000 ? "valid" : "expired";
    },
    secondsLeft: (expires) => Math.max(0, Math.floor(Number(expires) - now() / 1000)),
  };
}

const unixSeconds = /^\d{1,12}$/;

/** In a time that does not tell how much of the signature is right. */
function isSame(given: string, wanted: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(wanted)];
  return left.length === right.length && timingSafeEqual(left, right);
}

const secretBytes = 32;

/** The secret of the configuration, or else one that is made once and kept, so that links outlive a restart. */
export async function openLinkSecret(dataDir: string, configured?: string): Promise<Buffer> {
  if (configured !== undefined) return Buffer.from(configured);
  const path = join(dataDir, "link-secret");
  const secret = (await readSecret(path)) ?? (await makeSecret(path));
  if (secret.length !== secretBytes) {
    throw new Error(
      `${path} does not hold a secret of ${secretBytes} bytes. Remove it, and a new one is made.`,
    );
  }
  return secret;
}

/** A link to a finished file is made as a whole or not at all, so that of several processes one wins and all read it. */
async function makeSecret(path: string): Promise<Buffer> {
  await mkdir(join(path, ".."), { recursive: true, mode: 0o700 });
  const draft = `${path}-${randomBytes(8).toString("hex")}`;
  try {
    await writeFile(draft, randomBytes(secretBytes), { flag: "wx", mode: 0o600 });
    await link(draft, path).catch(unless("EEXIST"));
  } finally {
    await rm(draft, { force: true });
  }
  return readFile(path);
}

async function readSecret(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch(unless("ENOENT"));
}

/** Takes one failure for an answer and throws every other. */
function unless(code: string): (failure: unknown) => undefined {
  return (failure) => {
    if (failure instanceof Error && "code" in failure && failure.code === code) return undefined;
    throw failure;
  };
}
