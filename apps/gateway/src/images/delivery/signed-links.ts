import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, unlessMissing } from "@model-gateway/domain/failure-code";
import { newId } from "@model-gateway/runtime/new-id";

/** Links to stored images. Only a gateway with the secret can sign one, and each expires. */
export interface SignedLinks {
  /** Throws if no link can be signed now. */
  checkReady(): void;
  /** @param ttlMs Default: the configured one. */
  sign(file: string, ttlMs?: number): { readonly path: string };
  check(file: string, expires: string | undefined, signature: string | undefined): LinkVerdict;
  /** The whole seconds until a link with this expiry expires. */
  secondsLeft(expires: string): number;
}

type LinkVerdict = "valid" | "invalid" | "expired";

interface LinkSettings {
  /** The secret, or a function that throws where it cannot be read yet. */
  readonly secret: Buffer | (() => Buffer);
  readonly ttlMs: number;
  /** Unix milliseconds. */
  readonly now: () => number;
}

export function createSignedLinks({ secret, ttlMs: defaultTtlMs, now }: LinkSettings): SignedLinks {
  const readSecret = typeof secret === "function" ? secret : () => secret;
  const signatureOf = (file: string, expires: string) =>
    createHmac("sha256", readSecret()).update(`${file}\n${expires}`).digest("base64url");
  return {
    checkReady: () => void readSecret(),
    sign: (file, ttlMs = defaultTtlMs) => {
      const expires = String(Math.ceil((now() + ttlMs) / 1000));
      const query = `expires=${expires}&signature=${signatureOf(file, expires)}`;
      return { path: `/v1/images/files/${file}?${query}` };
    },
    check: (file, expires, signature) => {
      if (expires === undefined || signature === undefined || !unixSeconds.test(expires)) return "invalid";
      // The signature is checked first, so that a forged link never learns whether its expiry is in the future.
      if (!isSame(signature, signatureOf(file, expires))) return "invalid";
      return now() < Number(expires) * 1000 ? "valid" : "expired";
    },
    secondsLeft: (expires) => Math.max(0, Math.floor(Number(expires) - now() / 1000)),
  };
}

const unixSeconds = /^\d{1,12}$/;

/** Compares in constant time. */
function isSame(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}

const secretBytes = 32;

/** The configured secret, or one that is created once and stored, so that links survive a restart. */
export async function openLinkSecret(dataDir: string, configured?: string): Promise<Buffer> {
  if (configured !== undefined) return Buffer.from(configured);
  const path = join(dataDir, "link-secret");
  const secret = (await readSecret(path)) ?? (await createSecret(path));
  if (secret.length !== secretBytes) {
    throw new Error(
      `${path} does not hold a secret of ${secretBytes} bytes. Remove the file, and the gateway creates a new secret at the next start.`,
    );
  }
  return secret;
}

/** Creating a hard link is atomic: of several processes one stores its secret, and all read that one. */
async function createSecret(path: string): Promise<Buffer> {
  await mkdir(join(path, ".."), { recursive: true, mode: 0o700 });
  const draft = newId(`${path}-`);
  try {
    await writeFile(draft, randomBytes(secretBytes), { flag: "wx", mode: 0o600 });
    await link(draft, path).catch(unlessExisting);
  } finally {
    await rm(draft, { force: true });
  }
  return readFile(path);
}

async function readSecret(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch(unlessMissing);
}

function unlessExisting(failure: unknown): void {
  if (codeOf(failure) !== "EEXIST") throw failure;
}
