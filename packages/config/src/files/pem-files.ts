import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { createSecureContext } from "node:tls";
import { codeOf } from "@model-gateway/domain/failure-code";
import { objectAt } from "@model-gateway/runtime/json";
import { type FileVersion, fileVersion } from "./file-version.js";
import type { Fault } from "./read-yaml.js";

/** A chain of certificates is a few kilobytes, and all public authorities together are a quarter of a megabyte. */
const pemLengthMax = 1024 * 1024;
const pemKeys = ["ca", "cert", "key"] as const;
type PemKey = (typeof pemKeys)[number];

interface PemFiles {
  /** The configuration with PEM text in place of paths. */
  readonly value: unknown;
  readonly faults: readonly Fault[];
  readonly warnings: readonly string[];
  /** The files that were read. */
  readonly files: ReadonlyMap<string, FileVersion>;
}

interface PemPlace {
  /** Relative paths start here. */
  readonly directory: string;
  /** Whether the paths came over the network. All faults of a file are then one: they do not say which files there are. */
  readonly isRemote: boolean;
}

/**
 * Reads the certificates and keys in the `tls` sections of the file, and checks that they fit together. A fault never
 * quotes a value: it may be a private key.
 */
export function readPemFiles(file: unknown, place: PemPlace): PemFiles {
  const value: unknown = structuredClone(file);
  const upstreams = Object.keys(objectAt(value, "upstreams"));
  const reader = new PemReader(place);
  for (const path of [["tls"], ...upstreams.map((name) => ["upstreams", name, "tls"])])
    reader.read(path.reduce(objectAt, objectAt({ value }, "value")), path);
  return { value, faults: reader.faults, warnings: reader.warnings, files: reader.files };
}

class PemReader {
  readonly faults: Fault[] = [];
  readonly warnings: string[] = [];
  readonly files = new Map<string, FileVersion>();
  readonly #place: PemPlace;

  constructor(place: PemPlace) {
    this.#place = place;
  }

  /** Replaces the paths in one section by the files' content. */
  read(section: Record<string, unknown>, path: readonly string[]): void {
    const faultsBefore = this.faults.length;
    for (const key of pemKeys) {
      const given = section[key];
      if (typeof given !== "string" || given === "") continue;
      try {
        const text = isPem(given) ? given : this.#readFile(given);
        section[key] = text;
        checkText(key, text);
        if (key === "cert") this.#warnOfExpiry(text, path);
      } catch (failure) {
        this.#refuse([...path, key], this.#place.isRemote && !isPem(given) ? unreadable(failure) : failure);
      }
    }
    // Whether they fit together is a question only for texts that are fine by themselves.
    if (this.faults.length > faultsBefore) return;
    const { ca, cert, key } = section;
    if (typeof cert !== "string" || typeof key !== "string") return;
    try {
      checkPair({ cert, key, ...(typeof ca === "string" ? { ca } : {}) });
    } catch (failure) {
      this.#refuse([...path, "key"], failure);
    }
  }

  #readFile(given: string): string {
    const path = resolve(this.#place.directory, given);
    const { text, version } = readPem(path);
    this.files.set(path, version);
    return text;
  }

  #warnOfExpiry(text: string, path: readonly string[]): void {
    const [own] = certificatesIn(text);
    if (own !== undefined && Date.parse(own.validTo) < Date.now())
      this.warnings.push(`The certificate in ${path.join(".")}.cert has expired (${own.validTo}).`);
  }

  #refuse(path: readonly string[], failure: unknown): void {
    if (!(failure instanceof PemFault)) throw failure;
    this.faults.push({ path, message: failure.message });
  }
}

class PemFault extends Error {}

/** One fault for a file that is not there, that cannot be read, and that has something else in it. */
function unreadable(failure: unknown): unknown {
  return failure instanceof PemFault
    ? new PemFault("must be PEM text, or the path of a PEM file that the gateway can read")
    : failure;
}

function readPem(path: string): { readonly text: string; readonly version: FileVersion } {
  try {
    // Before the file is read: a change while it is read is noticed then.
    const version = fileVersion(path);
    const stats = statSync(path);
    // A device or a pipe could be read forever.
    if (!stats.isFile()) throw new PemFault("must be PEM text, or the path of a PEM file; this is no file");
    if (stats.size > pemLengthMax) throw new PemFault("names a file that is too large for certificates");
    return { text: readFileSync(path, "utf8"), version };
  } catch (cause) {
    if (cause instanceof PemFault) throw cause;
    throw new PemFault(
      `must be PEM text, or the path of a PEM file; the file cannot be read (${codeOf(cause)})`,
    );
  }
}

function isPem(text: string): boolean {
  return text.trimStart().startsWith("-----BEGIN ");
}

function checkText(key: PemKey, text: string): void {
  if (key !== "key") {
    if (certificatesIn(text).length === 0) throw new PemFault("has no certificate in PEM form");
    return;
  }
  try {
    createPrivateKey(text);
  } catch {
    throw new PemFault("has no private key in PEM form, or it needs a passphrase; use a key without one");
  }
}

function certificatesIn(text: string): X509Certificate[] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
  try {
    return blocks.map((block) => new X509Certificate(block));
  } catch {
    throw new PemFault("has a certificate that cannot be read");
  }
}

function checkPair(pair: { readonly cert: string; readonly key: string; readonly ca?: string }): void {
  const [own] = certificatesIn(pair.cert);
  if (own?.checkPrivateKey(createPrivateKey(pair.key)) !== true)
    throw new PemFault("is not the private key of the first certificate in cert");
  try {
    createSecureContext(pair);
  } catch (cause) {
    throw new PemFault(`cannot be used with cert (${codeOf(cause) || "unknown"})`);
  }
}
