import { isDeepStrictEqual } from "node:util";
import { longestTurnMs } from "@model-gateway/test-suite/longest-turn";
import { lengthByTier } from "@model-gateway/test-suite/tier";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parsers } from "../parsers.js";
import { foreignBytes, repeatedBytes } from "./foreign-bytes.js";
import { faultOf, outcomeOf, plain } from "./outcome.js";

/** One parser by its name. Default: all. */
const only = process.env.FUZZ_PARSER;
const fuzzed = parsers.filter(({ name }) => only === undefined || name === only);
/** For all of them together. Without it, a run of the short tier has a number of texts and no time. */
const seconds = Number(process.env.FUZZ_SECONDS ?? lengthByTier({ short: 0, full: 120 }));
const seed = Number(process.env.TEST_SEED ?? 20_260_101);
/** Where fast-check found a failure, as it prints it. */
const path = process.env.FUZZ_PATH;
/** Only work that grows with the square takes so long, even on a busy machine. `megabytes.ts` has the aim. */
const turnMsMax = 250;
const shortTexts = 150;
const shortRepetitions = 2;
/** A test that has its time may be late by one text. */
const timeout = 240_000 + seconds * 1000;

describe.each(fuzzed)("foreign bytes as $name", (parser) => {
  test("are read or refused, in chunks as at once", { timeout }, async () => {
    await assertProperty(
      fc.asyncProperty(foreignBytes(parser), fc.integer({ min: 1, max: 40 }), async (bytes, size) => {
        const chunkBytes = Math.max(size, Math.ceil(bytes.length / 50));
        const keys = countPrototypeKeys();

        const whole = await outcomeOf(parser, bytes);
        const chunked = await outcomeOf(parser, bytes, chunkBytes);

        const fault = faultOf(whole, parser) ?? faultOf(chunked, parser);
        if (fault !== undefined) expect.fail(fault);
        // A matcher compares bytes one by one.
        if (!isDeepStrictEqual(plain(chunked, parser), plain(whole, parser)))
          expect(plain(chunked, parser)).toEqual(plain(whole, parser));
        if ("value" in whole) await parser.check?.(bytes, whole.value);
        expect(countPrototypeKeys()).toBe(keys);
      }),
      lengthOf(shortTexts),
    );
  });

  test("take no whole turn, whatever is repeated in them", { timeout }, async () => {
    await assertProperty(
      fc.asyncProperty(repeatedBytes(parser), async (bytes) => {
        let fault: string | undefined;

        const longest = await longestTurnMs(async () => {
          fault = faultOf(await outcomeOf(parser, bytes), parser);
        });

        if (fault !== undefined) expect.fail(fault);
        if (longest >= turnMsMax) expect.fail(`A turn takes ${longest} ms.`);
      }),
      lengthOf(shortRepetitions),
    );
  });
});

/** Passes where the time ends before the first text was read: on a busy machine, a megabyte may take seconds. */
async function assertProperty<T>(
  property: fc.IAsyncProperty<T>,
  parameters: fc.Parameters<T>,
): Promise<void> {
  const details = await fc.check(property, parameters);
  const hasEnded = details.interrupted && details.counterexample === null;
  if (!details.failed || hasEnded) return;
  const message = await fc.asyncDefaultReportMessage(details);
  throw new Error(message, { cause: details.errorInstance });
}

function lengthOf(short: number) {
  if (path !== undefined) return { seed, path, endOnFailure: true, numRuns: 1 };
  if (seconds === 0) return { seed, numRuns: short };
  const interruptAfterTimeLimit = (seconds * 1000) / (2 * fuzzed.length);
  return { seed, numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit };
}

/** The keys of the prototypes that a text may name. */
function countPrototypeKeys(): number {
  return [Object, Array, String, Buffer].reduce(
    (count, { prototype }) => count + Reflect.ownKeys(prototype).length,
    0,
  );
}
