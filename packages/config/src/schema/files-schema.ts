import { duration, milliseconds, positive } from "@model-gateway/domain/settings";
import { z } from "zod";

const gibibyte = 1024 ** 3;

/** Files of callers: their limits, and how long they are kept. */
export const filesSchema = z
  .strictObject({
    fileBytesMax: positive.default(gibibyte / 2).describe("The largest file that can be uploaded, in bytes."),
    keyBytesMax: positive
      .default(10 * gibibyte)
      .describe(
        "The files of one key together, in bytes. Results of batches count from the creation of the batch.",
      ),
    keyFilesMax: positive.max(1_000_000).default(10_000).describe("The number of files of one key."),
    storeBytesMax: positive
      .default(100 * gibibyte)
      .describe(
        "The files of all keys together, in bytes. A key may take as much as is free besides what it has.",
      ),
    keep: duration
      .refine(
        (text) => milliseconds(text) >= 3_600_000 && milliseconds(text) <= 3650 * 86_400_000,
        "must be 1h to 3650d",
      )
      .default("30d")
      .describe("How long a file is kept whose upload has no expires_after."),
  })
  .prefault({})
  .describe(
    "Files that callers upload, and results of batches. They are stored in dataDir, or with images.store: s3 in that bucket.",
  );
