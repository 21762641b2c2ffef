import { once } from "node:events";
import type { Response } from "express";
import { contextOf } from "./request-context.js";

/** How long a caller may take to read what it has been sent before it counts as gone. */
export const readingMsMax = 120_000;

/** Waits until the caller has read what was written. One that does not read for long is left. */
export async function drained(response: Response): Promise<void> {
  const patience = AbortSignal.timeout(readingMsMax);
  await once(response, "drain", { signal: AbortSignal.any([contextOf(response).signal, patience]) }).catch(
    (failure: unknown) => {
      response.destroy();
      throw failure;
    },
  );
}
