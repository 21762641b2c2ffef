import { performance } from "node:perf_hooks";
import { makeTexts } from "./texts.js";

/** What a process that computes embeddings is asked for: to do so for a while. */
export interface LoopOrder {
  readonly ms: number;
}

export interface LoopReport {
  readonly textsPerSecond: number;
}

/** Answers orders of the benchmark, one after the other. */
export function serveLoop(embedAll: (texts: readonly string[]) => Promise<void>): void {
  const texts = makeTexts(64);
  process.on("message", async ({ ms }: LoopOrder) => {
    let done = 0;
    const begunAt = performance.now();
    while (performance.now() - begunAt < ms) {
      await embedAll(texts);
      done += texts.length;
    }
    const report: LoopReport = { textsPerSecond: (done * 1000) / (performance.now() - begunAt) };
    process.send?.(report);
  });
  process.on("disconnect", () => process.exit());
}
