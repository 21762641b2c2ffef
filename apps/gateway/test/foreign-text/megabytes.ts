import { longestTurnMs } from "@model-gateway/test-suite/longest-turn";
import { describe, expect, test } from "vitest";
import type { Parser } from "./parser.js";

/** Twenty are the aim. A test is for what grows with the square, or does a whole body in one turn. */
const turnMsMax = 60;

type Measured = Pick<Parser, "name" | "read" | "shapes" | "bytesMax">;

/** A test for each shape of each parser: none takes a whole event-loop turn. */
export function describeMegabytes(parsers: readonly Measured[]): void {
  describe.each(parsers)("$name", ({ read, shapes, bytesMax }) => {
    test.each(Object.entries(shapes))("of %s takes no whole turn", async (_name, make) => {
      const bytes = make().subarray(0, bytesMax);

      const longest = await longestTurnMs(() => outcomeOf(read, Buffer.from(bytes)));

      expect(longest).toBeLessThan(turnMsMax);
    });
  });
}

/** The value, or the error. */
export async function outcomeOf(read: Parser["read"], bytes: Buffer): Promise<unknown> {
  try {
    return await read(bytes);
  } catch (failure) {
    return failure;
  }
}
