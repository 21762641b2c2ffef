import { errorOf } from "@model-gateway/domain/errors";
import { type JsonListener, stringStart } from "@model-gateway/runtime/json-tokenizer";

/** A list of 500 models has 20,000. JSON.parse takes 15 ms for so many keys that all differ. */
const partsMax = 50_000;
/** JSON.parse takes 50 ms for a megabyte of brackets. */
const depthMax = 100;

/**
 * Counts what JSON.parse would create from a reply, before it does: bytes say little of its time. Throws at the first
 * part that is too many.
 */
export class ReplySize implements JsonListener {
  #parts = 0;

  onKey(): void {
    this.#parts += 1;
    if (this.#parts > partsMax)
      throw errorOf("upstream_invalid_reply", {
        reason: `it has more than ${partsMax} objects, lists and keys`,
      });
  }

  onBegin(first: number, _at: number, depth: number): boolean {
    if (first === stringStart) return false;
    if (depth > depthMax) throw errorOf("upstream_invalid_reply", { reason: "it is nested too deeply" });
    this.onKey();
    return false;
  }

  onEnd(): void {}
}
