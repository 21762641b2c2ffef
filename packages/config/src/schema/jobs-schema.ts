import { positive } from "@model-gateway/domain/settings";
import { z } from "zod";

/** Image requests that outlive their connection. */
export const jobsSchema = z
  .strictObject({
    concurrency: positive.max(1000).default(16).describe("How many jobs one process runs at once."),
    keyJobsMax: positive
      .max(100_000)
      .default(1000)
      .describe("The jobs of one key that wait or run. More are refused with a 429."),
    jobsMax: positive
      .max(1_000_000)
      .default(10_000)
      .describe(
        "The jobs of all keys that wait or run. More are refused with a 429. Each key has a share: one alone stops at half.",
      ),
    inputBytesMax: positive
      .default(10 * 1024 ** 3)
      .describe(
        "The input images of all jobs that wait or run, in bytes. Each key has a share: one alone stops at half.",
      ),
  })
  .prefault({})
  .describe("Image requests with Prefer: respond-async, which run as jobs.");
