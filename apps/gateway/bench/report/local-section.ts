import type { EngineFigures } from "../local/compare-engines.js";
import type { PassThroughFigures } from "../local/measure-pass-through.js";
import { formatNumber, table } from "./markdown.js";

export const localHeading = "## Local models";

export interface LocalFigures {
  readonly machine: string;
  readonly engines: readonly EngineFigures[];
  readonly passThrough: PassThroughFigures;
}

/** The speed of local models, and what they cost other requests. */
export function localSection({ machine, engines, passThrough }: LocalFigures): string {
  const { idle, busy } = passThrough;
  return [
    localHeading,
    "",
    `\`npm run bench -- --local\` writes this section; ${machine}.`,
    "",
    "Texts of about 25 tokens, all-MiniLM-L6-v2: the gateway's engine beside a plain loop around onnxruntime, each in a process of its own, on the same cores in turn. Medians of five rounds.",
    "",
    table(
      ["cores", "engine, texts/s", "plain loop, texts/s", "ratio"],
      engines.map(({ cores, engine, plain, ratio }) => [
        cores,
        formatNumber(engine),
        formatNumber(plain),
        formatNumber(ratio),
      ]),
    ),
    "",
    "The latency of a request to an upstream, one at a time on the same core, while the engine's workers are idle and while they are busy:",
    "",
    table(
      ["workers", "p50 ms", "p99 ms"],
      [
        ["idle", formatNumber(idle.p50Ms), formatNumber(idle.p99Ms)],
        ["busy", formatNumber(busy.p50Ms), formatNumber(busy.p99Ms)],
      ],
    ),
    "",
  ].join("\n");
}
