import { setFlagsFromString } from "node:v8";

/** The first Node whose V8 can be told, once it runs, not to collect the heap of an idle process. */
const obeyingNode = 22;

/**
 * Sets V8's flags. Called before the program is loaded: V8 uses the code of an earlier process only under the same flags.
 *
 * @param nodeVersion Such as "24.1.0". V8 prints an error for a flag that it does not know.
 */
export function setV8Flags(nodeVersion: string): void {
  // V8 would allocate the objects of requests in the old generation.
  setFlagsFromString("--no-allocation-site-pretenuring");
  // V8 collects the heap some time after the last request. Nothing has the hidden classes of requests then, and all code
  // that is optimised for them is dropped with them.
  if (Number.parseInt(nodeVersion, 10) >= obeyingNode) setFlagsFromString("--memory-reducer-gc-count=0");
}
