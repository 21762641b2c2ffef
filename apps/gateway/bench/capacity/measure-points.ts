import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import type { Load, MeasuredPoint } from "./constants.js";
import { Meter, type MeterOptions } from "./meter.js";

const seconds = 20;

/** Mixed load, from little to much, that two cores still carry with the benchmark beside it. */
export const mixes: readonly (readonly Load[])[] = [
  [{ kind: "embedding", perSecond: 10 }],
  [
    { kind: "embedding", perSecond: 40 },
    { kind: "cached", perSecond: 40 },
    { kind: "limited", perSecond: 40 },
  ],
  [
    { kind: "link", perSecond: 2 },
    { kind: "idempotent", perSecond: 2 },
    { kind: "job", perSecond: 1 },
    { kind: "limited", perSecond: 20 },
  ],
];

/** Sends each mix at an even rate to all replicas in turn, and reads what it cost the services. */
export async function measurePoints(options: MeterOptions): Promise<readonly MeasuredPoint[]> {
  const meter = new Meter(options);
  const points: MeasuredPoint[] = [];
  for (const loads of mixes) {
    const { cost, ms } = await meter.measureAll(() => drive(loads, options));
    points.push({
      replicas: options.replicas.count,
      loads,
      seconds,
      restSeconds: Math.max(0, Math.round(ms) / 1000 - seconds),
      measured: cost,
    });
  }
  return points;
}

/** Requests are sent at their time, whether or not those before have a response. */
async function drive(loads: readonly Load[], { sender }: MeterOptions): Promise<void> {
  const start = performance.now();
  await Promise.all(
    loads.map(async ({ kind, perSecond }, number) => {
      const sent: Promise<void>[] = [];
      // Kinds of the same rate do not arrive together, which would let them share round trips.
      const phase = number / loads.length;
      for (let index = 0; index < perSecond * seconds; index += 1) {
        await setTimeout(Math.max(0, start + (1000 * (index + phase)) / perSecond - performance.now()));
        sent.push(sender.send(kind, index, index));
      }
      await Promise.all(sent);
    }),
  );
}
