import type { StartFigures } from "../measure/measure-start.js";
import type { Cell } from "../measure/run-workload.js";
import type { Absent } from "../rivals/rival.js";

/** All that a run has to tell. */
export interface Results {
  readonly date: string;
  readonly machine: string;
  readonly versions: string;
  readonly pinning: string;
  readonly pace: string;
  readonly rivals: readonly { readonly name: string; readonly description: string }[];
  readonly absent: readonly Absent[];
  readonly cells: readonly Cell[];
  readonly start: StartFigures;
}
