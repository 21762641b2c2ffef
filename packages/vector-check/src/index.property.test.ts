import { lengthByTier } from "@model-gateway/test-suite/tier";
import fc from "fast-check";
import { expect, test } from "vitest";
import { base64Bytes, countNumbers, decodeBase64, decodedBytes, textBytesMax } from "./index.js";

const seed = 20261115;

/** Splits a text at the given places. */
function cut(text: string, places: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text, "latin1");
  const cuts = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end));
}

test("numbers are counted, whatever their spacing and chunks", () => {
  fc.assert(
    fc.property(
      fc.array(fc.float({ noNaN: true, noDefaultInfinity: true, min: -(2 ** 60), max: 2 ** 60 })),
      fc.constantFrom("", " ", "\n\t", "\r\n  "),
      fc.array(fc.nat(), { maxLength: 3 }),
      (numbers, space, cuts) => {
        const text = `[${space}${numbers.map(String).join(`${space},${space}`)}${space}]`;

        expect(countNumbers(cut(text, cuts))).toBe(numbers.length);
      },
    ),
    { numRuns: lengthByTier({ short: 500, full: 5000 }), seed },
  );
});

test("the count equals that of JSON.parse, and an unclear array is valid JSON", () => {
  const letters = fc.constantFrom(...'0123456789.-+eE, []\n"n');
  fc.assert(
    fc.property(fc.string({ unit: letters, maxLength: 24 }), (inner) => {
      const text = `[${inner}]`;

      const counted = countNumbers([Buffer.from(text)]);

      if (counted === "unclear") expect(numbersIn(text)).toBeDefined();
      else expect(counted).toBe(numbersIn(text));
    }),
    { numRuns: lengthByTier({ short: 5000, full: 50_000 }), seed },
  );
});

test("the count equals that of JSON.parse in texts of several blocks, whatever a few of their bytes are", () => {
  const number = fc.oneof(
    { weight: 6, arbitrary: fc.float({ min: -1, max: 1, noNaN: true }).map(String) },
    fc.constantFrom("0", "-0", "1", "0.0", "-9.5", "12", "0.1e-05", "1E-7", "2e+3", "1e5", "00.1", "0.1.2"),
    fc.integer({ min: 1, max: 80 }).map((digits) => `0.${"7".repeat(digits)}`),
    fc.integer({ min: 29, max: 70 }).map((digits) => "8".repeat(digits)),
  );
  const separator = fc.constantFrom(",", ",", ", ", ",\n        ", " ,", ",\r\n\t", `,${" ".repeat(70)}`);
  const change = fc.tuple(fc.nat(), fc.constantFrom(...'0123456789.-+eE,, []\n\t/"n\u00ac\u00ff'));
  fc.assert(
    fc.property(
      fc.array(number, { minLength: 4, maxLength: 30 }),
      separator,
      fc.array(change, { maxLength: 2 }),
      (numbers, between, changes) => {
        const bytes = Buffer.from(`[${numbers.join(between)}]`);
        for (const [place, letter] of changes) bytes[place % bytes.length] = letter.charCodeAt(0);

        const counted = countNumbers([bytes]);

        if (counted === "unclear") expect(numbersIn(bytes.toString("latin1"))).toBeDefined();
        else expect(counted).toBe(numbersIn(bytes.toString("latin1")));
      },
    ),
    { numRuns: lengthByTier({ short: 5000, full: 50_000 }), seed },
  );
});

test.each([
  ["without spaces", "[0.25,-0.5,1,-0.125"],
  ["with spaces", "[0.25, -0.5,\n 0.75"],
])(
  "a text %s is judged as JSON.parse judges it, with any byte in any place of two blocks",
  (_name, start) => {
    const text = `${start}${",0.5,-0.375".repeat(20)}]`;
    for (let place = 0; place < 132; place += 1) {
      for (let byte = 0; byte < 256; byte += 1) {
        const bytes = Buffer.from(text);
        bytes[place] = byte;

        const counted = countNumbers([bytes]);

        const parsed = numbersIn(bytes.toString("latin1"));
        if (counted === "unclear" ? parsed === undefined : counted !== parsed)
          expect.fail(`${bytes.toString("latin1")} has ${parsed} numbers, and ${counted} were counted`);
      }
    }
  },
);

function numbersIn(text: string): number | undefined {
  try {
    const values: unknown[] = JSON.parse(text);
    return values.every((value) => typeof value === "number") ? values.length : undefined;
  } catch {
    return undefined;
  }
}

test.each([
  ["[]", 0],
  ["[ ]", 0],
  ["[0]", 1],
  ["[-0]", 1],
  ["[1,23,-456]", 3],
  ["[0.1,-2.5e-05,3E-7]", 3],
  [`[${"9".repeat(30)}]`, 1],
])("%s has %d numbers", (text, count) => {
  expect(countNumbers([Buffer.from(text)])).toBe(count);
});

test.each([
  "",
  "[",
  "]",
  "1]",
  "[1,]",
  "[,1]",
  "[1 2]",
  "[01]",
  "[-01]",
  "[1.]",
  "[.5]",
  "[-.5]",
  "[+1]",
  "[1e]",
  "[1e-]",
  "[1e+]",
  "[1e5,]",
  "[1.2.3]",
  "[1e-2e-3]",
  "[1e-2.5]",
  "[-]",
  "[--1]",
  "[null]",
  '["1"]',
  "[[1]]",
  "[1]]",
  "[1",
  "[1\u0000]",
  "[1\u000b,2]",
])("%j is not counted", (text) => {
  expect(countNumbers([Buffer.from(text)])).toBeUndefined();
});

test.each(["[1e5]", "[0.5,1e+5]", "[1E38 , 1]", "[1e39]", `[${"9".repeat(31)}]`, "[1e999,2e-3]"])(
  "%s may have a number that is too large",
  (text) => {
    expect(countNumbers([Buffer.from(text)])).toBe("unclear");
  },
);

test("base64 of any length is measured, whatever its chunks", () => {
  const limits = { min: -(2 ** 64), max: 2 ** 64, noNaN: true };
  const floats = fc.float32Array({ ...limits, minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(floats, fc.array(fc.nat(), { maxLength: 3 }), ({ buffer }, cuts) => {
      expect(base64Bytes(cut(Buffer.from(buffer).toString("base64"), cuts))).toBe(buffer.byteLength);
    }),
    { numRuns: lengthByTier({ short: 500, full: 5000 }), seed },
  );
});

test("a huge number, an infinity or NaN is found in any position", () => {
  const odd = fc.oneof(
    fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
    fc.float({ min: 2 ** 65, noNaN: true }),
    fc.float({ max: -(2 ** 65), noNaN: true }),
  );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.nat(), odd, (width, place, value) => {
      const floats = new Float32Array(width).fill(1);
      floats[place % width] = value;

      expect(base64Bytes([Buffer.from(Buffer.from(floats.buffer).toString("base64"))])).toBeUndefined();
    }),
    { numRuns: lengthByTier({ short: 300, full: 3000 }), seed },
  );
});

test("the 64 letters and no other bytes are accepted, in any position", () => {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  // In the other places a single letter can make a huge number.
  const places = [0, 1, 2, 3, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19];
  for (let byte = 0; byte < 256; byte += 1) {
    for (const place of places) {
      const text = Buffer.from("AAAA".repeat(6));
      text[place] = byte;
      const isLetter = letters.includes(String.fromCharCode(byte));

      expect(base64Bytes([text])).toBe(isLetter ? 18 : undefined);
    }
  }
});

test.each([
  ["AACAPw==", 4],
  ["AACAPwAAAEA=", 8],
  ["AACAPwAAAEAAAEBA", 12],
  ["AAA=", 2],
])("%s encodes %d bytes", (text, bytes) => {
  expect(base64Bytes([Buffer.from(text)])).toBe(bytes);
});

test.each([
  "",
  "A",
  "AA",
  "AAA",
  "====",
  "A===",
  "AA=A",
  "AA==AAAA",
  "AACAPw",
  "AACA Pw==",
  "AACAPw==\n\n\n\n",
])("%j is not measured", (text) => {
  expect(base64Bytes([Buffer.from(text)])).toBeUndefined();
});

test("the text of an earlier check does not affect the next", () => {
  base64Bytes([Buffer.from("////".repeat(20))]);

  expect(base64Bytes([Buffer.from("AACAPw==")])).toBe(4);
  expect(countNumbers([Buffer.from("[1]")])).toBe(1);
});

test("a text of textBytesMax is accepted, and a longer one is not", () => {
  const room = 1024 * 1024;
  const numbers = (length: number) => [Buffer.from("["), Buffer.from(`${"1,".repeat(length / 2 - 1)}1]`)];

  expect(countNumbers(numbers(room - 2))).toBe(room / 2 - 1);
  expect(countNumbers([...numbers(room - 2), Buffer.from("  ")])).toBeUndefined();
  expect(base64Bytes([Buffer.from("AAAA".repeat(room / 4))])).toBe((room / 4) * 3);
  expect(base64Bytes([Buffer.from("AAAA".repeat(room / 4 + 1))])).toBeUndefined();
});

test("the length of base64's content is known, wherever its chunks end", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 200 }),
      fc.array(fc.nat(), { maxLength: 4 }),
      (bytes, cuts) => {
        const text = Buffer.from(bytes).toString("base64");

        expect(decodedBytes(cut(text, cuts))).toBe(bytes.length);
      },
    ),
    { numRuns: lengthByTier({ short: 500, full: 5000 }), seed },
  );
});

test("a text is base64 exactly if it has no other letter, whole groups and padding at its end", () => {
  const unit = fc.constantFrom(...'AQgw09+/azPZ=-_ \n\\!"@[`{:.,é');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 40 }), fc.array(fc.nat(), { maxLength: 3 }), (text, cuts) => {
      const isBase64 = text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);

      expect(decodedBytes(cut(text, cuts)) !== undefined).toBe(isBase64);
    }),
    { numRuns: lengthByTier({ short: 5000, full: 50_000 }), seed },
  );
});

test("every byte but a letter of base64 is found, at every place", () => {
  const letters = new Set(Buffer.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"));
  for (let byte = 0; byte < 256; byte += 1) {
    for (let at = 0; at < 36; at += 1) {
      const text = Buffer.alloc(40, "A");
      text[at] = byte;

      expect(decodedBytes([text]), `${byte} at ${at}`).toBe(letters.has(byte) ? 30 : undefined);
    }
  }
});

test("a text longer than the memory of the module is checked in parts", () => {
  const text = Buffer.alloc(3 * textBytesMax, "A");

  expect(decodedBytes([text])).toBe((text.length / 4) * 3);
  text[2 * textBytesMax + 5] = 0x21;
  expect(decodedBytes([text])).toBeUndefined();
});

test("base64 is decoded to its bytes, wherever its chunks end", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 200 }),
      fc.array(fc.nat(), { maxLength: 6 }),
      (bytes, cuts) => {
        const target = Buffer.alloc(bytes.length);

        decodeBase64(cut(Buffer.from(bytes).toString("base64"), cuts), target);

        expect(target.equals(bytes)).toBe(true);
      },
    ),
    { numRuns: lengthByTier({ short: 1000, full: 10_000 }), seed },
  );
});

test("a long text is decoded in pieces, and nothing is written behind the target", () => {
  const bytes = Buffer.from(Array.from({ length: 200_003 }, (_, index) => (index * 2_654_435_761) >>> 24));
  const text = bytes.toString("base64");
  for (const cuts of [[], [1, 2, 3, 70_001], [32_767, 32_769, 65_535]]) {
    const target = Buffer.alloc(bytes.length + 16, 7);

    decodeBase64(cut(text, cuts), target.subarray(0, bytes.length));

    expect(target.subarray(0, bytes.length).equals(bytes)).toBe(true);
    expect(target.subarray(bytes.length)).toEqual(Buffer.alloc(16, 7));
  }
});
