import type { Response } from "express";
import { contextOf } from "./request-context.js";

/** How long a caller may take to read what it has been sent before it counts as gone. */
export const readingMsMax = 120_000;

/** Waits until the caller has read what was written. One that does not read for long is left. */
export async function drained(response: Response): Promise<void> {
  const { signal } = contextOf(response);
  try {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const settle = (end: () => void) => () => {
        clearTimeout(timer);
        response.off("drain", go);
        signal.removeEventListener("abort", leave);
        end();
      };
      const go = settle(resolve);
      const leave = settle(() => reject(signal.reason));
      const timer = setTimeout(
        settle(() => reject(new Error("The caller did not read."))),
        readingMsMax,
      );
      response.on("drain", go);
      signal.addEventListener("abort", leave);
    });
  } catch (failure) {
    response.destroy();
    throw failure;
  }
}
