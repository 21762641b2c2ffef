import { expect, test } from "vitest";
import { readByteRange } from "./byte-range.js";

test.each<{ given: string | undefined; want: ReturnType<typeof readByteRange> }>([
  { given: undefined, want: "whole" },
  { given: "bytes=0-0", want: { start: 0, end: 0 } },
  { given: "bytes=2-5", want: { start: 2, end: 5 } },
  { given: "bytes=99-99", want: { start: 99, end: 99 } },
  { given: "bytes=0-99", want: { start: 0, end: 99 } },
  { given: "bytes=90-1000", want: { start: 90, end: 99 } },
  { given: "bytes=90-", want: { start: 90, end: 99 } },
  { given: "bytes=0-", want: { start: 0, end: 99 } },
  { given: "bytes=-10", want: { start: 90, end: 99 } },
  { given: "bytes=-1000", want: { start: 0, end: 99 } },
  { given: "BYTES=2-5", want: { start: 2, end: 5 } },
  { given: " bytes=2-5 ", want: { start: 2, end: 5 } },
  { given: `bytes=5-${"9".repeat(200)}`, want: { start: 5, end: 99 } },
  { given: "bytes=100-", want: "unsatisfiable" },
  { given: "bytes=100-200", want: "unsatisfiable" },
  { given: `bytes=${"9".repeat(200)}-`, want: "unsatisfiable" },
  { given: "bytes=-0", want: "unsatisfiable" },
  { given: "bytes=5-2", want: "whole" },
  { given: "bytes=-", want: "whole" },
  { given: "bytes=", want: "whole" },
  { given: "bytes", want: "whole" },
  { given: "", want: "whole" },
  { given: "bytes=0-1,4-5", want: "whole" },
  { given: "bytes=0-1, 4-5", want: "whole" },
  { given: "bytes=a-b", want: "whole" },
  { given: "bytes=0x1-5", want: "whole" },
  { given: "bytes=1.5-5", want: "whole" },
  { given: "bytes=--5", want: "whole" },
  { given: "items=0-5", want: "whole" },
])("of 100 bytes, $given is $want", ({ given, want }) => {
  expect(readByteRange(given, 100)).toEqual(want);
});

test.each(["bytes=0-", "bytes=0-0", "bytes=-1"])("of an empty file, %s is unsatisfiable", (given) => {
  expect(readByteRange(given, 0)).toBe("unsatisfiable");
});
