import { setImmediate } from "node:timers/promises";
import { GatewayError } from "@model-gateway/domain/errors";
import { lengthByTier } from "@model-gateway/test-suite/tier";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type JsonSchema, shapeOf } from "../validation/json-schema.js";
import { LargeJson, parseLargeJson } from "./parse-json.js";

const anyShape = {
  depth: 100,
  containers: 1e6,
  keys: 1e6,
  objectKeys: 1e6,
  items: 1e6,
  textBytes: 1e6,
  dataUrlBytes: 0,
  dataUrlPaths: [],
};
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.constantFrom("__proto__", "a", "\\", '"', '\\"', "[", "{", ",", ":", "]"),
);
const { value: anyJson } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(null, true, false),
    fc.array(tie("value"), { maxLength: 8 }),
    fc.array(fc.tuple(text, tie("value")), { maxLength: 5 }).map(toObject),
  ),
}));

/** Handles `__proto__` as an own key. */
function toObject(entries: readonly (readonly [string, unknown])[]): object {
  return JSON.parse(`{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)}}`);
}

const reference = (body: Buffer): unknown => {
  try {
    return { value: JSON.parse(new TextDecoder("utf8", { fatal: true }).decode(body)) };
  } catch {
    return "invalid";
  }
};
const inParts = async (body: Buffer, partBytes: number): Promise<unknown> => {
  try {
    return { value: await parseLargeJson(body, anyShape, partBytes) };
  } catch (failure) {
    expect(failure).toMatchObject({ code: "invalid_json" });
    return "invalid";
  }
};

test("parsing in parts of any size equals JSON.parse", async () => {
  await fc.assert(
    fc.asyncProperty(anyJson, fc.nat(20), fc.constantFrom(0, 1, 2), async (value, partBytes, indent) => {
      const body = Buffer.from(JSON.stringify(value, null, indent));

      expect(await inParts(body, partBytes)).toEqual(reference(body));
    }),
    { numRuns: lengthByTier({ short: 400, full: 3000 }), seed: 20261116 },
  );
});

test("parsing equals JSON.parse wherever the body was cut while it arrived", async () => {
  await fc.assert(
    fc.asyncProperty(anyJson, fc.nat(20), fc.array(fc.nat(50)), async (value, partBytes, lengths) => {
      const body = Buffer.from(JSON.stringify(value));
      const json = new LargeJson(anyShape, partBytes);
      let arrived = 3;

      for (const length of lengths) {
        arrived = Math.min(body.length, arrived + length);
        // Each time in other memory, as in a buffer that grows.
        json.scan(Buffer.from(body.subarray(0, arrived)));
      }

      expect(await json.parse(body)).toEqual(value);
    }),
    { numRuns: lengthByTier({ short: 300, full: 2000 }), seed: 20261118 },
  );
});

test("a broken body is refused like JSON.parse refuses it", async () => {
  const damage = fc.record({
    at: fc.nat(),
    removed: fc.nat(2),
    inserted: fc.constantFrom("", ",", "[", "]", "{", "}", '"', "\\", ":", " ", "1", "\ufeff"),
  });
  await fc.assert(
    fc.asyncProperty(anyJson, fc.nat(20), damage, async (value, partBytes, { at, removed, inserted }) => {
      const json = JSON.stringify(value);
      const from = at % (json.length + 1);
      const body = Buffer.from(`${json.slice(0, from)}${inserted}${json.slice(from + removed)}`);

      expect(await inParts(body, partBytes)).toEqual(reference(body));
    }),
    { numRuns: lengthByTier({ short: 500, full: 5000 }), seed: 20261116 },
  );
});

test.each([
  ["a comma at the end of a long array", '{"a":[1,2,3,4,]}'],
  ["a comma at its start", '{"a":[,1,2,3]}'],
  ["a bracket of the wrong kind", '{"a":[1,2,3}}'],
  ["a body that ends in the middle", '{"a":[1,2,3'],
  ["one bracket too many", '{"a":[1,2,3]}]'],
  ["bytes that are not UTF-8", Buffer.from([...Buffer.from('{"a":["'), 0xff, ...Buffer.from('","b"]}')])],
])("%s is not JSON", async (_name, body) => {
  expect(await inParts(Buffer.from(body), 1)).toBe("invalid");
});

test("the last of two equal keys counts, whichever is long", async () => {
  for (const json of [
    '{"a":[1,2,3],"a":4}',
    '{"a":4,"a":[1,2,3]}',
    '{"a":[1,2,3],"a":[4,5,6]}',
    '{"a":[1,2],"a":[]}',
  ])
    expect(await parseLargeJson(Buffer.from(json), anyShape, 0)).toEqual(JSON.parse(json));
});

const schema: JsonSchema = {
  type: "object",
  properties: {
    name: { type: "string", maxLength: 100 },
    lists: {
      oneOf: [
        { type: "array", maxItems: 1000, items: { type: "string", "x-max-bytes": 5000 } },
        {
          type: "array",
          maxItems: 500,
          items: { type: "array", maxItems: 2000, items: { type: "integer" } },
        },
      ],
    },
  },
};

test("only a data URL may be longer than any other text", async () => {
  const shape = { ...anyShape, textBytes: 100_000, dataUrlBytes: 300_000 };
  const parse = (text: string) => parseLargeJson(Buffer.from(JSON.stringify({ input: [text] })), shape);

  await expect(parse(`data:${"a".repeat(250_000)}`)).resolves.toEqual({ input: [expect.any(String)] });
  await expect(parse(`date:${"a".repeat(250_000)}`)).rejects.toMatchObject({
    code: "string_above_max_length",
    param: "input",
  });
  await expect(parse(`data:${"a".repeat(350_000)}`)).rejects.toMatchObject({
    code: "string_above_max_length",
  });
});

test("the bounds are the schema's", () => {
  expect(shapeOf(schema)).toEqual({
    depth: 3,
    containers: 502,
    keys: 2,
    objectKeys: 2,
    items: 2000,
    textBytes: 5000,
    dataUrlBytes: 5000,
    dataUrlPaths: [],
  });
  expect(shapeOf({ type: "string" })).toEqual({
    depth: 0,
    containers: 0,
    keys: 0,
    objectKeys: 0,
    items: 0,
    textBytes: Number.POSITIVE_INFINITY,
    dataUrlBytes: Number.POSITIVE_INFINITY,
    dataUrlPaths: [],
  });
  expect(shapeOf({ type: "array", items: { type: "object", properties: {} } })).toMatchObject({
    containers: Number.POSITIVE_INFINITY,
    keys: 0,
  });
});

test("one object has no more keys than the widest of its schema, however many objects there may be", async () => {
  const part: JsonSchema = { type: "object", properties: { text: { type: "string" } } };
  const shape = shapeOf({
    type: "object",
    properties: { input: { type: "array", maxItems: 2000, items: part } },
  });
  const fields = (count: number) => Array.from({ length: count }, (_, key) => `"k${key}":1`).join();
  const parse = (json: string) => parseLargeJson(Buffer.from(json), shape);

  expect(shape).toMatchObject({ keys: 2001, objectKeys: 1 });
  const objects = Array.from({ length: 2000 }, () => '{"text":"a"}');
  await expect(parse(`{"input":[${objects}]}`)).resolves.toMatchObject({ input: { length: 2000 } });
  for (const json of [`{${fields(102)}}`, `{"input":[${objects.slice(1)},{${fields(102)}}]}`])
    await expect(parse(json)).rejects.toMatchObject({ code: "invalid_value" });
});

test.each([
  ["nested deeper", '{"lists":[[[[1]]]]}', "invalid_value", "Invalid 'lists': it is nested too deep."],
  [
    "more arrays",
    `{"lists":[${"[1],".repeat(700)}[1]]}`,
    "invalid_value",
    "Invalid 'lists': it has too many arrays and objects.",
  ],
  [
    "more objects",
    `{"lists":[${"{},".repeat(700)}{}]}`,
    "invalid_value",
    "Invalid 'lists': it has too many arrays and objects.",
  ],
  [
    "more keys",
    `{${Array.from({ length: 200 }, (_, key) => `"k${key}":1`)}}`,
    "invalid_value",
    "The JSON body is not valid: it has too many fields.",
  ],
  [
    "a longer array",
    `{"lists":[[${"1,".repeat(2200)}1]]}`,
    "array_above_max_length",
    "Invalid 'lists': array length must be 2000 or less.",
  ],
  [
    "a longer text",
    `{"lists":["${"a".repeat(5200)}"]}`,
    "string_above_max_length",
    "Invalid 'lists': a text must be 5000 bytes or less.",
  ],
])(
  "a body with %s than its schema can accept is refused before it is parsed",
  async (_name, json, code, message) => {
    // Broken after the point at which it is refused: JSON.parse would say so.
    const body = Buffer.from(json.slice(0, -1));

    const failure = await parseLargeJson(body, shapeOf(schema)).catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(GatewayError);
    expect(failure).toMatchObject({ code, message });
  },
);

test("a text is refused while it is still arriving", () => {
  const json = new LargeJson(shapeOf(schema));
  json.scan(Buffer.from(`{"name":"${"a".repeat(5000)}`));

  const scan = () => json.scan(Buffer.from(`{"name":"${"a".repeat(5200)}`));

  expect(scan).toThrow("Invalid 'name': a text must be 5000 bytes or less.");
});

test("a body that is a little too much is left to the validator, which names the field", async () => {
  const json = `{"lists":[${"{},".repeat(520)}{}],"more":1}`;

  expect(await parseLargeJson(Buffer.from(json), shapeOf(schema))).toEqual(JSON.parse(json));
});

test("other work runs while a large body is parsed", async () => {
  const ids = `[${Array.from({ length: 2000 }, (_, id) => 50_000 + id)}]`;
  const body = Buffer.from(`{"model":"m","input":[${new Array(1000).fill(ids)}]}`);
  let turns = 0;
  let isParsed = false;
  const countTurns = async () => {
    for (; !isParsed; turns += 1) await setImmediate();
  };

  const counted = countTurns();
  const parsed = (await parseLargeJson(body, anyShape)) as { input: number[][] };
  isParsed = true;
  await counted;

  expect(parsed.input).toHaveLength(1000);
  expect(parsed.input.at(-1)?.at(-1)).toBe(51_999);
  // One for each 8 ms of work.
  expect(turns).toBeGreaterThan(5);
});
