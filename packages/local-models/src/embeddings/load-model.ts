import { join } from "node:path";
import type { InferenceSession } from "onnxruntime-node";
import { loadTokeniser } from "./load-tokeniser.js";
import { meanOfTokens } from "./mean-of-tokens.js";
import { normalise } from "./normalise.js";

/** A model in memory. */
export interface LoadedModel {
  tokenise(text: string): readonly number[];
  embed(tokenIds: readonly number[]): Promise<Float32Array<ArrayBuffer>>;
}

/** Loads a folder of `model.onnx` and `tokenizer.json`. Blocks its thread: for workers only. */
export async function loadModel(folder: string): Promise<LoadedModel> {
  // Imported here, so that a machine without a native binary gets a model that says so, not a dead worker.
  const { InferenceSession, Tensor } = await import("onnxruntime-node");
  const tokenise = await loadTokeniser(folder);
  const session = await InferenceSession.create(join(folder, "model.onnx"), sessionOptions);
  refuseUnknownInputs(session);
  const output = chooseOutput(session);

  return {
    tokenise,
    async embed(tokenIds) {
      const shape = [1, tokenIds.length];
      // One text at a time needs no padding: every token counts, and all belong to the first segment.
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
  // The workers are the parallelism; more threads in one session were slower under load.
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  // Texts differ in length, and the runtime would keep a memory plan for every length it meets.
  enableMemPattern: false,
  // Warnings go to the process's stderr, past the gateway's log. An error is thrown as well.
  logSeverityLevel: 3,
};

function refuseUnknownInputs(session: InferenceSession): void {
  const known = ["input_ids", "attention_mask", "token_type_ids"];
  const unknown = session.inputNames.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`The model asks for the unknown input ${unknown.join(", ")}.`);
}

/** A vector for the whole text where the model gives one, and otherwise the first output with one for each token. */
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
