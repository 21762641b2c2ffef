import type { BenchGround } from "./measure/bench-ground.js";
import { withEntrants } from "./measure/entrants.js";
import { ciPace } from "./measure/pace.js";
import { letCompile, runWorkload } from "./measure/run-workload.js";
import { figuresOf } from "./report/figures.js";
import { numeral } from "./report/numerals.js";
import { gateway } from "./rivals/gateway.js";
import { bareProxy } from "./rivals/node-proxies.js";
import { smallEmbedding } from "./workloads/small-embedding.js";

/** Well below what the gateway reaches, which is 0.65 to 0.85, so that only a real loss shows on a busy machine. */
const ratioMin = 0.4;

/** The guard against losing speed by accident: ours beside the bare proxy in the same seconds. */
export async function passesCi(ground: BenchGround): Promise<boolean> {
  const cells = await withEntrants([bareProxy, gateway], ground, async (entrants) => {
    await letCompile({ entrants, pace: ciPace, ground });
    return runWorkload(smallEmbedding, { entrants, pace: ciPace, ground });
  });
  const ours = figuresOf(cells).filter(({ rival }) => rival === "ours");
  for (const { label, timesBare, cpuTimesBare, perSecond } of ours)
    console.log(
      `One input, ${label}, 32 at once: ${numeral(perSecond)} requests a second, ${numeral(timesBare)} x the bare proxy (by CPU ${numeral(cpuTimesBare)}; at least ${ratioMin} is asked for).`,
    );
  // What else runs at the same time can lower either figure; only a loss in the gateway lowers both.
  return ours.every(({ timesBare = 0, cpuTimesBare = 0 }) => Math.max(timesBare, cpuTimesBare) >= ratioMin);
}
