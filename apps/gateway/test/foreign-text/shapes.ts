/** Bytes that are hard on a parser, by name. Each is made when it is needed. */
export type Shapes = Readonly<Record<string, () => Buffer>>;

export const megabyte = 1024 * 1024;

/** A text that is repeated up to a megabyte, between two others. */
export function filled(unit: string, { before = "", after = "", bytes = megabyte } = {}): Buffer {
  const times = Math.floor((bytes - before.length - after.length) / Buffer.byteLength(unit));
  const repeated = Buffer.alloc(times * Buffer.byteLength(unit), unit);
  return Buffer.concat([Buffer.from(before), repeated, Buffer.from(after)]);
}

/** Numbered units, each another one, up to a megabyte. */
export function numbered(unitOf: (index: number) => string, around: readonly [string, string]): Buffer {
  const units: string[] = [];
  for (let index = 0, bytes = 0; bytes < megabyte - 100; index += 1) {
    const unit = unitOf(index);
    units.push(unit);
    bytes += unit.length;
  }
  return Buffer.from(around[0] + units.join("") + around[1]);
}

/** Texts without any format. */
export const textShapes: Shapes = {
  "one letter": () => filled("x"),
  spaces: () => filled(" ", { after: "x" }),
  "line feeds": () => filled("\n"),
  "carriage returns": () => filled("\r\n"),
  quotes: () => filled('"'),
  "quotes and backslashes": () => filled('"\\'),
  backslashes: () => filled("\\"),
  commas: () => filled(","),
  "percent signs": () => filled("%"),
  "halves of a character": () => filled("\u00e9").subarray(1),
  zeros: () => Buffer.alloc(megabyte),
  "opening brackets": () => filled("["),
  "less-than signs": () => filled("<"),
  digits: () => filled("1"),
};

/** Base64 that is not in the form in which it is read fastest. */
export const base64Shapes: Shapes = {
  "plain letters": () => filled("A"),
  "letters that do not fill a group": () => filled("A", { after: "A" }),
  "line breaks": () => filled("AAAA\n"),
  "escaped slashes": () => filled("\\/"),
  padding: () => filled("="),
  "the other alphabet": () => filled("-_"),
  "letters of no alphabet": () => filled("!"),
  "two data URLs": () => filled("data:;base64,"),
};

/** JSON, whole and broken. */
export const jsonShapes: Shapes = {
  "lists in lists": () => filled("[", { after: "]".repeat(megabyte / 2) }),
  "objects in objects": () => filled('{"a":', { after: `1${"}".repeat(megabyte / 6)}` }),
  "opened and never closed": () => filled('[{"a":'),
  "empty lists": () => filled("[],", { before: "[", after: "0]" }),
  "empty objects": () => filled("{},", { before: "[", after: "0]" }),
  "empty texts": () => filled('"",', { before: "[", after: "0]" }),
  "small numbers": () => filled("0,", { before: "[", after: "0]" }),
  "long numbers": () => filled("1.7976931348623157e308,", { before: "[", after: "0]" }),
  "one number": () => filled("7"),
  "a key again and again": () => filled('"a":0,', { before: "{", after: '"a":0}' }),
  "other keys": () => numbered((index) => `"k${index}":0,`, ["{", '"z":0}']),
  "numbers as keys": () => numbered((index) => `"${index * 7919}":0,`, ["{", '"z":0}']),
  "keys that name a prototype": () => filled('"__proto__":{},', { before: "{", after: '"z":0}' }),
  "a text of escapes": () => filled("\\u0061", { before: '"', after: '"' }),
  "halves of surrogate pairs": () => filled("\\ud83d", { before: '["', after: '"]' }),
  "a text without end": () => filled("a", { before: '{"a":"' }),
  "white space": () => filled(" \n", { before: "[", after: "]" }),
  commas: () => filled(",", { before: "[", after: "]" }),
};

/** The same as the value of a key, where most of it belongs. */
export function jsonUnder(key: string): Shapes {
  return Object.fromEntries(
    Object.entries(jsonShapes).map(([name, make]) => [
      `${name} under ${key}`,
      () => Buffer.concat([Buffer.from(`{"${key}":`), make(), Buffer.from("}")]),
    ]),
  );
}
