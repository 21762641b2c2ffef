/**
 * A process: the least that onnxruntime needs. A text, its tokens, one run, the mean of what comes out; one session that
 * may use every core.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { fileURLToPath, pathToFileURL } from "node:url";
import { serveLoop } from "./loop.js";
import { localModel } from "./texts.js";

interface Session {
  run(feeds: Readonly<Record<string, unknown>>): Promise<Record<string, { readonly data: Float32Array }>>;
}

// Both are dependencies of the package that has the engine, and are found from there.
const engine = createRequire(import.meta.url).resolve("@model-gateway/local-models");
const requireThere = createRequire(engine);
const { InferenceSession, Tensor } = requireThere("onnxruntime-node") as {
  InferenceSession: { create(file: string, options: object): Promise<Session> };
  Tensor: new (type: "int64", data: BigInt64Array, shape: number[]) => unknown;
};
const { Tokenizer } = requireThere("@huggingface/tokenizers") as {
  Tokenizer: new (definition: object, settings: object) => { encode(text: string): { ids: number[] } };
};

const folder = new URL(`../weights/${localModel}/`, pathToFileURL(engine));
const definition = JSON.parse(readFileSync(new URL("tokenizer.json", folder), "utf8"));
const tokeniser = new Tokenizer({ ...definition, truncation: null, padding: null }, {});
const session = await InferenceSession.create(fileURLToPath(new URL("model.onnx", folder)), {
  intraOpNumThreads: availableParallelism(),
});

async function embed(text: string): Promise<Float32Array> {
  const { ids } = tokeniser.encode(text);
  const shape = [1, ids.length];
  const answer = await session.run({
    input_ids: new Tensor("int64", BigInt64Array.from(ids, BigInt), shape),
    attention_mask: new Tensor("int64", new BigInt64Array(ids.length).fill(1n), shape),
    token_type_ids: new Tensor("int64", new BigInt64Array(ids.length), shape),
  });
  const [output] = Object.values(answer);
  return meanOf(output?.data ?? new Float32Array(), ids.length);
}

function meanOf(values: Float32Array, tokens: number): Float32Array {
  const width = values.length / tokens;
  const mean = new Float32Array(width);
  for (let at = 0; at < values.length; at += 1)
    mean[at % width] = (mean[at % width] ?? 0) + (values[at] ?? 0);
  return mean;
}

serveLoop(async (texts) => {
  for (const text of texts) await embed(text);
});
process.send?.("ready");
