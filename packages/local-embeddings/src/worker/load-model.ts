import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { InferenceSession } from "onnxruntime-node";
import { readJsonObject } from "../model-folder.js";
import { openTokeniser, type Tokenise } from "./bounded-tokeniser.js";
import { importRuntime } from "./import-runtime.js";

/** A model that is loaded into memory. */
export interface LoadedModel {
  readonly tokenise: Tokenise;
  embed(tokenIds: readonly number[]): Promise<Float32Array<ArrayBuffer>>;
}

/** Loads `model.onnx` and `tokenizer.json` of a folder. It blocks its thread, so only workers may call it. */
export async function loadModel(folder: string): Promise<LoadedModel> {
  // Imported here: without a native binary, the model is then unavailable instead of the worker dead.
  const { InferenceSession, Tensor } = await importRuntime();
  const tokenise = await loadTokeniser(folder);
  const session = await InferenceSession.create(join(folder, "model.onnx"), sessionOptions);
  refuseUnknownInputs(session);
  const output = chooseOutput(session);

  return {
    tokenise,
    async embed(tokenIds) {
      const shape = [1, tokenIds.length];
      // A single text needs no padding: every token counts, and all belong to the first segment.
      const inputs: Readonly<Record<string, BigInt64Array>> = {
        input_ids: BigInt64Array.from(tokenIds, BigInt),
        attention_mask: new BigInt64Array(tokenIds.length).fill(1n),
        token_type_ids: new BigInt64Array(tokenIds.length),
      };
      const feeds = Object.fromEntries(
        session.inputNames.map((name) => [name, new Tensor("int64", inputs[name] ?? [], shape)]),
      );
      const result = (await session.run(feeds, [output.name]))[output.name];
      if (!(result?.data instanceof Float32Array)) throw new Error("The model's output is not float32.");
      return normalise(output.pooled ? result.data : meanOfTokens(result.data, tokenIds.length));
    },
  };
}

const sessionOptions: InferenceSession.SessionOptions = {
  // The workers run in parallel. More threads per session were slower under load.
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  // The runtime would keep a memory plan for every text length.
  enableMemPattern: false,
  // Warnings would bypass the gateway's log and go to stderr. Errors are also thrown.
  logSeverityLevel: 3,
};

function refuseUnknownInputs(session: InferenceSession): void {
  const known = ["input_ids", "attention_mask", "token_type_ids"];
  const unknown = session.inputNames.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`The model has the unknown input ${unknown.join(", ")}.`);
}

/** The vector of the whole text if the model has that output, or else the first output with a vector per token. */
function chooseOutput(session: InferenceSession): { readonly name: string; readonly pooled: boolean } {
  const rankOf = (name: string) => {
    const output = session.outputMetadata.find((metadata) => metadata.name === name);
    return output?.isTensor ? output.shape.length : 0;
  };
  const sentence = session.outputNames.find((name) => name === "sentence_embedding" && rankOf(name) === 2);
  if (sentence) return { name: sentence, pooled: true };
  const tokens = session.outputNames.find((name) => rankOf(name) === 3);
  if (tokens) return { name: tokens, pooled: false };
  throw new Error("The model has neither a sentence_embedding nor an output for each token.");
}

async function loadTokeniser(folder: string): Promise<Tokenise> {
  const definition = JSON.parse(await readFile(join(folder, "tokenizer.json"), "utf8"));
  const settings = await readJsonObject(join(folder, "tokenizer_config.json"));
  return openTokeniser(definition, settings ?? {});
}

/** The mean of the token vectors, which are stored one after the other in `values`. */
export function meanOfTokens(values: Float32Array, tokenCount: number): Float32Array<ArrayBuffer> {
  const dimensions = values.length / tokenCount;
  const mean = new Float32Array(dimensions);
  for (let dimension = 0; dimension < dimensions; dimension += 1) {
    let sum = 0;
    for (let at = dimension; at < values.length; at += dimensions) sum += values[at] ?? 0;
    mean[dimension] = sum / tokenCount;
  }
  return mean;
}

/** The unit vector in the same direction. */
export function normalise(vector: Float32Array): Float32Array<ArrayBuffer> {
  let squares = 0;
  for (let at = 0; at < vector.length; at += 1) squares += (vector[at] ?? 0) ** 2;
  const length = Math.sqrt(squares);
  if (!Number.isFinite(length) || length === 0) throw new Error("The model returned no usable vector.");
  const unit = new Float32Array(vector.length);
  for (let at = 0; at < vector.length; at += 1) unit[at] = (vector[at] ?? 0) / length;
  return unit;
}
