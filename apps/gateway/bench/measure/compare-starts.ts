import { formatMegabytes, formatNumber, table } from "../report/markdown.js";
import { gatewayMain, mainOf } from "../rivals/gateway.js";
import type { RivalOptions } from "../rivals/rival.js";
import { medianStart, type StartFigures, startKinds, startOnce } from "./measure-start.js";

/** One start of each build in turn, so that a busy machine slows both. The first of a build fills its code cache. */
const rounds = 10;

/** Starts this build, and another if there is one, and returns the medians as a table. */
export async function compareStarts(
  options: RivalOptions,
  otherCheckout: string | undefined,
): Promise<string> {
  const builds = [
    { name: "ours", main: gatewayMain },
    ...(otherCheckout === undefined ? [] : [{ name: "other", main: mainOf(otherCheckout) }]),
  ];
  const rows: string[][] = [];
  for (const kind of startKinds) {
    const starts = new Map<string, StartFigures[]>(builds.map(({ name }) => [name, []]));
    for (let round = 0; round < rounds; round += 1)
      for (const { name, main } of builds)
        starts.get(name)?.push(await startOnce({ ...options, kind, main }));
    for (const [name, figures] of starts) {
      const { firstResponseMs, cpuMs, idleBytes } = medianStart(figures);
      rows.push([kind, name, formatNumber(firstResponseMs), formatNumber(cpuMs), formatMegabytes(idleBytes)]);
    }
  }
  return table(["configuration", "who", "first response ms", "CPU ms", "idle RSS MB"], rows);
}
