import type { Random } from "@model-gateway/test-suite/random";

/** Values that no schema expects, or only some. */
const oddValues: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e308,
  "",
  " ",
  "\u0000",
  "\ud800",
  "\udfff\ud800",
  "\u202egnp.exe",
  "\ufeff",
  "e\u0301",
  "😀".repeat(100),
  "a".repeat(5000),
  "__proto__",
  "null",
  "1",
  "data:image/png;base64,",
  "data:image/png;base64,AAAA",
  [],
  [[]],
  [[[[[[[[]]]]]]]],
  [null],
  [1, "a", [2]],
  {},
  { a: { b: { c: {} } } },
  { length: 5 },
  { toString: 1 },
];

const oddNames = [
  "",
  "x",
  "inputs",
  "Model",
  "__proto__",
  "constructor",
  "a.b",
  "a[0]",
  "é",
  "a\u0000",
  "a".repeat(300),
];

export const oddTexts: readonly string[] = [
  "",
  "0",
  "-1",
  "1",
  "1.5",
  "1e3",
  "0x10",
  "9".repeat(40),
  "abc",
  "NaN",
  "true",
  "null",
  "a,b",
  "*",
  "é".repeat(3),
  "a".repeat(3000),
  "%00",
  "{}",
  "[1]",
  "bytes=0-",
  "bytes=5-1",
  "bytes=0-0,2-3",
  "no-store, no-cache",
  "text/csv;q=0",
];

/** Changes one part of a JSON value, however deep it is. */
export function mutateValue(value: unknown, random: Random): unknown {
  if (Array.isArray(value) && random.below(3) > 0) return mutateArray(value, random);
  if (typeof value === "object" && value !== null && !Array.isArray(value) && random.below(8) > 0)
    return mutateObject(value, random);
  return random.below(6) === 0 ? [value] : random.pick(oddValues);
}

function mutateArray(list: readonly unknown[], random: Random): unknown[] {
  if (list.length === 0 || random.below(4) === 0) return [...list, random.pick(oddValues)];
  if (random.below(20) === 0) return Array(3000).fill(list[0]);
  const at = random.below(list.length);
  return list.map((item, index) => (index === at ? mutateValue(item, random) : item));
}

function mutateObject(object: object, random: Random): object {
  const entries = Object.entries(object);
  const at = random.below(entries.length + 1);
  const [name, value] = entries[at] ?? [random.pick(oddNames), random.pick(oddValues)];
  const others = entries.filter((_, index) => index !== at);
  switch (random.below(5)) {
    case 0:
      return Object.fromEntries(others);
    case 1:
      return Object.fromEntries([...others, [random.pick(oddNames), value]]);
    default:
      return Object.fromEntries([...others, [name, mutateValue(value, random)]]);
  }
}

/** Damages the text of a JSON body: numbers that overflow, repeated keys, bytes cut out or put in. */
export function mutateJson(json: string, random: Random): Buffer {
  const at = random.below(json.length + 1);
  switch (random.below(5)) {
    case 0:
      return Buffer.from(json.slice(0, at));
    case 1:
      return Buffer.from(json.replace(/\d+/, random.pick(["1e999", "-0", "01", "1E400", "9".repeat(400)])));
    case 2:
      return Buffer.from(json.replace(/^\{("[^"]*":[^,}]*)/, "{$1,$1"));
    case 3:
      return Buffer.concat([
        Buffer.from(json.slice(0, at)),
        random.bytes(3),
        Buffer.from(json.slice(at + 1)),
      ]);
    default:
      return Buffer.from(`${random.pick(["\ufeff", " ", "[", "//", "\n\n"])}${json}`);
  }
}
