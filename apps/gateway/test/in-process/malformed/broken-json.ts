import { type CaseKind, jsonOperations, jsonRequest, type MalformedCase } from "./malformed-case.js";

/** Bodies that are not JSON, not UTF-8, or JSON of a kind that breaks parsers and those who read their results. */
export const brokenJson: CaseKind = function* (random) {
  for (const { path, body } of jsonOperations) {
    const whole = Buffer.from(JSON.stringify(body));
    for (let length = 0; length < whole.length; length += 1) {
      yield refused(`${path} cut after ${length} bytes`, jsonRequest(path, whole.subarray(0, length)));
    }
    for (const text of notJson(JSON.stringify(body))) {
      yield refused(`${path} with ${text.slice(0, 60)}`, jsonRequest(path, text));
    }
    for (const [name, bytes] of notUtf8) {
      const [before = "", after = ""] = JSON.stringify(body).split("a cat");
      yield refused(
        `${path} with ${name}`,
        jsonRequest(path, Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)])),
      );
    }
    for (const [name, value] of hostileValues) {
      const text = JSON.stringify({ ...body, surprise: 0 }).replace('"surprise":0', value);
      yield { ...refused(`${path} with ${name}`, jsonRequest(path, text)), status: 400 };
    }
    for (const [name, text] of wholeBodies)
      yield refused(`${path} with ${name} for a body`, jsonRequest(path, text));
    for (let round = 0; round < 60; round += 1) {
      const mutated = mutate(whole, random.below(3), {
        at: random.below(whole.length),
        byte: random.below(256),
      });
      yield {
        name: `${path} mutated in round ${round}`,
        bytes: jsonRequest(path, mutated),
        outcome: "taken or refused",
      };
    }
    for (let round = 0; round < 10; round += 1) {
      yield refused(
        `${path} with noise in round ${round}`,
        jsonRequest(path, random.bytes(1 + random.below(2000))),
      );
    }
    yield {
      name: `${path} with a byte order mark`,
      bytes: jsonRequest(path, `\ufeff${whole}`),
      outcome: "taken or refused",
    };
    yield {
      name: `${path} with every key twice`,
      bytes: jsonRequest(path, `${String(whole).slice(0, -1)},${String(whole).slice(1)}`),
      outcome: "taken or refused",
    };
  }
};

function refused(name: string, bytes: Buffer): MalformedCase {
  return { name, bytes, outcome: "refused", status: 400 };
}

function notJson(good: string): string[] {
  const open = good.slice(0, -1);
  return [
    "",
    " ",
    "\n\n",
    "{",
    "}",
    "nul",
    "undefined",
    "NaN",
    "-Infinity",
    "'a'",
    "{'model':'good'}",
    "{model:1}",
    "<html></html>",
    `${good}${good}`,
    `${good}x`,
    `${good},`,
    `[${good}`,
    `${open},}`,
    `${open},"user"}`,
    `${open},"user":}`,
    `${open},"user":NaN}`,
    `${open},"user":Infinity}`,
    `${open},"user":0x10}`,
    `${open},"user":01}`,
    `${open},"user":+1}`,
    `${open},"user":.5}`,
    `${open},"user":1.}`,
    `${open},"user":1e}`,
    `${open},"user":"\t"}`,
    `${open},"user":"\u0000"}`,
    `${open},"user":"\\x41"}`,
    `${open},"user":"\\u12"}`,
    `${open},"user":"a\nb"}`,
    `${open}/* a comment */}`,
    `// a comment\n${good}`,
    `${good}\u0000`,
    `\u00a0${good}`,
    `${good.slice(0, 5)}\ufeff${good.slice(5)}`,
    `)]}'\n${good}`,
    `--x\r\n\r\n${good}\r\n--x--`,
    `body=${encodeURIComponent(good)}`,
    "[".repeat(100_000),
    '{"a":'.repeat(100_000),
    `${open},"user":${"[".repeat(50_000)}${"}".repeat(50_000)}`,
  ];
}

const notUtf8: readonly (readonly [string, Buffer])[] = [
  ["a lone continuation byte", Buffer.from([0x80])],
  ["a cut two-byte letter", Buffer.from([0xc3])],
  ["a cut three-byte letter", Buffer.from([0xe2, 0x82])],
  ["a cut four-byte letter", Buffer.from([0xf0, 0x9f, 0x98])],
  ["an overlong slash", Buffer.from([0xc0, 0xaf])],
  ["an overlong null", Buffer.from([0xe0, 0x80, 0x80])],
  ["an encoded surrogate", Buffer.from([0xed, 0xa0, 0x80])],
  ["a letter past Unicode", Buffer.from([0xf4, 0x90, 0x80, 0x80])],
  ["a byte that is never used", Buffer.from([0xff])],
  ["latin-1", Buffer.from("caf\u00e9", "latin1")],
  ["UTF-16", Buffer.from("\ufeffcat", "utf16le")],
];

const deepArray = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
const deepObject = `${'{"a":'.repeat(50_000)}0${"}".repeat(50_000)}`;

/** Replaces `"surprise":0` at the end of a body that is good otherwise. */
const hostileValues: readonly (readonly [string, string])[] = [
  ["a field of the prototype", '"__proto__":{"polluted":true}'],
  ["the constructor", '"constructor":{"prototype":{"polluted":true}}'],
  ["hasOwnProperty", '"hasOwnProperty":1'],
  ["toString", '"toString":null'],
  ["toJSON", '"toJSON":"x"'],
  ["then", '"then":"x"'],
  ["valueOf", '"valueOf":[]'],
  ["a field without a name", '"":1'],
  ["a pointer for a name", '"a/b~0c~1d":1'],
  ["a surrogate for a name", '"\\ud800":1'],
  ["a newline for a name", '"a\\nb\\u0000":1'],
  ["a name of 60,000 letters", `"${"n".repeat(60_000)}":1`],
  ["10,000 unknown fields", Array.from({ length: 10_000 }, (_, index) => `"f${index}":${index}`).join(",")],
  ["a deep unknown array", `"deep":${deepArray}`],
  ["a deep unknown object", `"deep":${deepObject}`],
  ["a deep array for a user", `"user":${deepArray}`],
  ["a deep object for a user", `"user":${deepObject}`],
  ["an endless number for a user", `"user":${"9".repeat(100_000)}`],
  ["1e999 for a user", '"user":1e999'],
];

const wholeBodies: readonly (readonly [string, string])[] = [
  ["null", "null"],
  ["true", "true"],
  ["a number", "12"],
  ["1e999", "1e999"],
  ["a string", '"model"'],
  ["an empty array", "[]"],
  ["an array", '[{"model":"good","input":"a"}]'],
  ["an empty object", "{}"],
  ["a deep array", deepArray],
  ["a deep object", deepObject],
];

function mutate(whole: Buffer, how: number, { at, byte }: { at: number; byte: number }): Buffer {
  const [before, after] = [whole.subarray(0, at), whole.subarray(at)];
  if (how === 0) return Buffer.concat([before, Buffer.from([byte]), after.subarray(1)]);
  if (how === 1) return Buffer.concat([before, Buffer.from([byte]), after]);
  return Buffer.concat([before, after.subarray(1)]);
}
