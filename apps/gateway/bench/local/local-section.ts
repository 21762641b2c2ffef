import { numeral } from "../report/numerals.js";
import { table } from "../report/table.js";
import type { EngineFigures } from "./compare-engines.js";
import type { StarvingFigures } from "./measure-starving.js";

export const localHeading = "## Local models";

export interface LocalFigures {
  readonly machine: string;
  readonly engines: readonly EngineFigures[];
  readonly starving: StarvingFigures;
}

/** What local models do, and what they do to others. */
export function localSection({ machine, engines, starving }: LocalFigures): string {
  return [
    localHeading,
    "",
    `\`npm run bench -- --local\` writes this section; ${machine}.`,
    "",
    "Texts of some 25 tokens, all-MiniLM-L6-v2: the engine of the gateway beside a plain loop around onnxruntime, each in a process of its own, on the same cores in turn. Medians of five rounds.",
    "",
    table(
      ["cores", "engine, texts/s", "plain loop, texts/s", "ratio"],
      engines.map(({ cores, engine, plain, ratio }) => [
        cores,
        numeral(engine),
        numeral(plain),
        numeral(ratio),
      ]),
    ),
    "",
    "A request that only passes through, one at a time, while the engine's workers have nothing to do and while they are never out of work, on the same core:",
    "",
    table(
      ["workers", "p50 ms", "p99 ms"],
      [
        ["idle", numeral(starving.idle.p50Ms), numeral(starving.idle.p99Ms)],
        ["full", numeral(starving.full.p50Ms), numeral(starving.full.p99Ms)],
      ],
    ),
    "",
  ].join("\n");
}
