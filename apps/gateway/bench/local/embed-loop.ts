/**
 * A process that embeds texts for as long as the benchmark asks. Its argument names what embeds them:
 *
 * - `engine`: the gateway's engine, with its default number of workers.
 * - `plain`: the least code around onnxruntime. One session on all cores runs one text at a time.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { performance } from "node:perf_hooks";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createTexts, type EmbeddingJob, type EmbeddingReport, localModel } from "./embedding-job.js";

type EmbedAll = (texts: readonly string[]) => Promise<void>;

/** The part of onnxruntime that is used here. */
interface Session {
  run(feeds: Readonly<Record<string, unknown>>): Promise<Record<string, { readonly data: Float32Array }>>;
}

const embedAll = process.argv[2] === "engine" ? await openEngine() : await openPlain();
const texts = createTexts(64);
process.on("message", async ({ ms }: EmbeddingJob) => {
  let done = 0;
  const startedAt = performance.now();
  while (performance.now() - startedAt < ms) {
    await embedAll(texts);
    done += texts.length;
  }
  const report: EmbeddingReport = { textsPerSecond: (done * 1000) / (performance.now() - startedAt) };
  process.send?.(report);
});
process.on("disconnect", () => process.exit());
process.send?.("ready");

async function openEngine(): Promise<EmbedAll> {
  const { openEmbeddingEngine } = await import("@model-gateway/local-embeddings");
  const engine = await openEmbeddingEngine();
  await engine.warm(localModel);
  return async (all) => void (await engine.embed(localModel, all));
}

async function openPlain(): Promise<EmbedAll> {
  // Both packages are dependencies of local-embeddings only, so they are resolved from there.
  const localEmbeddings = createRequire(import.meta.url).resolve("@model-gateway/local-embeddings");
  const requireThere = createRequire(localEmbeddings);
  const { InferenceSession, Tensor } = requireThere("onnxruntime-node") as {
    InferenceSession: { create(file: string, options: object): Promise<Session> };
    Tensor: new (type: "int64", data: BigInt64Array, shape: number[]) => unknown;
  };
  const { Tokenizer } = requireThere("@huggingface/tokenizers") as {
    Tokenizer: new (definition: object, settings: object) => { encode(text: string): { ids: number[] } };
  };
  const folder = new URL(`../weights/${localModel}/`, pathToFileURL(localEmbeddings));
  const definition = JSON.parse(readFileSync(new URL("tokenizer.json", folder), "utf8"));
  const tokenizer = new Tokenizer({ ...definition, truncation: null, padding: null }, {});
  const session = await InferenceSession.create(fileURLToPath(new URL("model.onnx", folder)), {
    intraOpNumThreads: availableParallelism(),
  });

  const embed = async (text: string): Promise<Float32Array> => {
    const { ids } = tokenizer.encode(text);
    const shape = [1, ids.length];
    const outputs = await session.run({
      input_ids: new Tensor("int64", BigInt64Array.from(ids, BigInt), shape),
      attention_mask: new Tensor("int64", new BigInt64Array(ids.length).fill(1n), shape),
      token_type_ids: new Tensor("int64", new BigInt64Array(ids.length), shape),
    });
    const [output] = Object.values(outputs);
    return poolTokens(output?.data ?? new Float32Array(), ids.length);
  };
  return async (all) => {
    for (const text of all) await embed(text);
  };
}

/** Mean pooling: adds up the vectors of the tokens. The division is left out; the vector is not used. */
function poolTokens(values: Float32Array, tokens: number): Float32Array {
  const width = values.length / tokens;
  const pooled = new Float32Array(width);
  for (let at = 0; at < values.length; at += 1)
    pooled[at % width] = (pooled[at % width] ?? 0) + (values[at] ?? 0);
  return pooled;
}
