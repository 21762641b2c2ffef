import { inSlices, TimeSlice } from "@model-gateway/runtime/time-slice";
import fc from "fast-check";
import { expect, test } from "vitest";
import { rewriteBase64 } from "./rewrite-base64.js";

/** Rewrites a text that arrives in chunks of this many bytes. */
async function rewrite(text: string, size = text.length): Promise<string> {
  const bytes = Buffer.from(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
  return (await inSlices(rewriteBase64(chunks), new TimeSlice())).toString("latin1");
}

test.each([
  ["line breaks", "aGVs\r\nbG8/\nPj4="],
  ["escaped line breaks", "aGVs\\r\\nbG8/\\nPj4="],
  ["escaped slashes", "aGVsbG8\\/Pj4="],
  ["escaped letters", "\\u0061GVsbG8\\u002FPj4\\u003d"],
  ["no padding", "aGVsbG8/Pj4"],
  ["the URL-safe alphabet", "aGVsbG8_Pj4"],
  ["a data URL", "data:image/png;base64,aGVsbG8/Pj4="],
  ["an escaped data URL in capitals", "DATA:image\\/svg+xml;charset=utf-8;BASE64,aGVsbG8/Pj4"],
])("base64 with %s is rewritten, wherever its chunks end", async (_name, text) => {
  for (const size of [1, 2, 3, 7, 100]) expect(await rewrite(text, size)).toBe("aGVsbG8/Pj4=");
});

test.each([
  ["padding that is too long", "aGVs===="],
  ["padding in the middle", "aGVsbG8=bG8="],
  ["two data URLs", "data:;base64,data:;base64,aGVs"],
  ["an escaped backslash", "aG\\\\s"],
  ["an escape without an end", "aGV\\u006"],
  ["a backslash at its end", "aGV\\"],
  ["an escape that JSON does not have", "aGV\\x"],
  ["an escaped character of another alphabet", "aGV\\u0141"],
  ["a character of another alphabet", "aGŁs"],
  ["a zero", "aGV\0"],
  ["an escaped zero", "aGV\\u0000"],
])("a text with %s does not become base64", async (_name, text) => {
  expect(await rewrite(text)).not.toMatch(/^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/);
});

/** The same with regular expressions, on the whole text. Base64 has neither quotes nor backslashes. */
function rewriteAtOnce(text: string): string {
  const letters = text
    .replace(/["\\]/g, "!")
    .replace(/\s+/g, "")
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replace(/^data:[^,]{0,200};base64,/i, "")
    .replace(/={1,2}$/, "");
  return letters.padEnd(Math.ceil(letters.length / 4) * 4, "=");
}

test("any JSON string of such letters becomes what regular expressions make of it", async () => {
  const piece = fc.constantFrom(...'aGVs+/-_= \n\r\t"\\,:;', "data:", ";base64,", "\\u0041");
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { maxLength: 30 }),
      fc.integer({ min: 1, max: 9 }),
      async (pieces, size) => {
        const text = pieces.join("");

        expect(await rewrite(JSON.stringify(text).slice(1, -1), size)).toBe(rewriteAtOnce(text));
      },
    ),
    { numRuns: 2000, seed: 20261119 },
  );
});
