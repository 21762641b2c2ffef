import { expect, test } from "vitest";
import { joinBytes } from "./join-bytes.js";
import { inSlices, TimeSlice } from "./time-slice.js";

test("pieces of any length are joined, at most half a megabyte in a step", async () => {
  const pieces = [0, 3, 1_300_000, 0, 1].map((length, index) => Buffer.alloc(length, index));

  expect(await inSlices(joinBytes(pieces), new TimeSlice())).toEqual(Buffer.concat(pieces));
  expect([...joinBytes(pieces)]).toHaveLength(1 + 3 + 1);
  expect(await inSlices(joinBytes([]), new TimeSlice())).toEqual(Buffer.alloc(0));
});
