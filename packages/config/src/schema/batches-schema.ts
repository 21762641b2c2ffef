import { positive } from "@model-gateway/domain/settings";
import { z } from "zod";

const mebibyte = 1024 ** 2;

/** Batches: the bounds of their input files, and how much of them runs at once. */
export const batchesSchema = z
  .strictObject({
    linesMax: positive.max(1_000_000).default(50_000).describe("The most lines of an input file."),
    inputsMax: positive
      .default(50_000)
      .describe("The most texts in all lines of an input file together, for embeddings."),
    fileBytesMax: positive.default(200 * mebibyte).describe("The largest input file, in bytes."),
    keyBatchesMax: positive.default(100).describe("The most batches of one key that have not ended."),
    concurrency: positive
      .max(64)
      .default(4)
      .describe(
        "How many images, or groups of up to 256 embedding lines, one process runs at once. The capacity of the targets bounds them as well.",
      ),
  })
  .prefault({})
  .describe("Batches: files of requests that the gateway runs by itself, at the priority bulk.");
