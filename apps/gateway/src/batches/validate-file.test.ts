import { describe, expect, test } from "vitest";
import { operationsOf, readSpec } from "../execution/validation/spec.js";
import type { BatchEndpoint } from "./batch.js";
import { type BatchLimits, type CheckModel, type FileVerdict, validateFile } from "./validate-file.js";

const limits: BatchLimits = { linesMax: 1000, fileBytesMax: 1e6, inputsMax: 5000, lineBytesMax: 10_000 };
const wide = { ...limits, lineBytesMax: 50_000 };
const long: BatchLimits = { ...limits, fileBytesMax: 1e8, lineBytesMax: 3e7 };
const { jsonShape: shape } = operationsOf(readSpec()).find(({ id }) => id === "createEmbedding") ?? {
  jsonShape: {
    depth: 0,
    containers: 0,
    keys: 0,
    objectKeys: 0,
    items: 0,
    textBytes: 0,
    dataUrlBytes: 0,
    dataUrlPaths: [],
  },
};

describe("a file without faults", () => {
  test("is cut into parts of up to 256 embedding lines", async () => {
    const lines = Array.from({ length: 600 }, (_, index) => embedding(`row-${index}`));

    const verdict = await validate(lines);

    expect(verdict).toMatchObject({ kind: "valid", model: "m", total: 600 });
    expect(rangesOf(verdict)).toEqual([
      { firstLine: 1, lines: 256, text: lines.slice(0, 256).join("") },
      { firstLine: 257, lines: 256, text: lines.slice(256, 512).join("") },
      { firstLine: 513, lines: 88, text: lines.slice(512).join("") },
    ]);
  });

  test("has parts of a bounded number of inputs", async () => {
    const of = (id: string, inputs: number) => embedding(id, { input: Array(inputs).fill("text") });

    const lines = [of("a", 300), of("b", 212), of("c", 1), of("d", 2048), of("e", 1)];
    const verdict = await validate(lines, { limits: wide });

    expect(rangesOf(verdict).map(({ firstLine, lines }) => [firstLine, lines])).toEqual([
      [1, 2],
      [3, 1],
      [4, 1],
      [5, 1],
    ]);
  });

  test("counts the tokens of one text as one input", async () => {
    const lines = Array.from({ length: 3 }, (_, index) =>
      embedding(String(index), { input: Array(2000).fill(1) }),
    );

    expect(rangesOf(await validate(lines))).toHaveLength(1);
  });

  test("has one part for each image", async () => {
    const lines = ["a", "b"].map((id) => image(id));

    const verdict = await validate(lines, { endpoint: "/v1/images/generations" });

    expect(rangesOf(verdict)).toEqual([
      { firstLine: 1, lines: 1, text: lines[0] },
      { firstLine: 2, lines: 1, text: lines[1] },
    ]);
  });

  test("may have empty lines, which are not requests", async () => {
    const verdict = await validate(["\n", embedding("a"), " \r\n", embedding("b"), "\n"]);

    expect(verdict).toMatchObject({ kind: "valid", total: 2 });
    expect(rangesOf(verdict)).toMatchObject([{ firstLine: 2, lines: 3 }]);
  });

  test("has parts of a bounded number of bytes", async () => {
    const lines = ["a", "b", "c", "d"].map((id) =>
      embedding(id, { input: Array(3).fill("x".repeat(1_000_000)) }),
    );

    const verdict = await validate(lines, { limits: long });

    expect(rangesOf(verdict).map(({ firstLine, lines }) => [firstLine, lines])).toEqual([
      [1, 2],
      [3, 2],
    ]);
  });

  test("may reach each of its limits", async () => {
    const lines = [embedding("a", { input: ["one", "two"] }), embedding("b")];
    const bytes = lines.join("").length;
    const atLimits = { ...limits, linesMax: 2, inputsMax: 3, fileBytesMax: bytes };

    expect(await validate(lines, { limits: atLimits })).toMatchObject({ kind: "valid", total: 2 });
    for (const [code, changes] of [
      ["too_many_tasks", { linesMax: 1 }],
      ["too_many_inputs", { inputsMax: 2 }],
      ["file_too_large", { fileBytesMax: bytes - 1 }],
    ] as const)
      expect(faultsOf(await validate(lines, { limits: { ...atLimits, ...changes } }))).toEqual([
        [null, code, null],
      ]);
  });

  test("need not name a model", async () => {
    const verdict = await validate([embedding("a", { model: undefined })]);

    expect(verdict).toMatchObject({ kind: "valid", model: undefined });
  });

  test("has its lines counted over blank ones between two parts", async () => {
    const lines = Array.from({ length: 256 }, (_, index) => embedding(`row-${index}`));

    const verdict = await validate([...lines, "\n", "\n", embedding("last")]);

    expect(rangesOf(verdict)).toEqual([
      { firstLine: 1, lines: 256, text: lines.join("") },
      { firstLine: 259, lines: 1, text: embedding("last") },
    ]);
  });
});

describe("faults", () => {
  test("of all lines are reported, with their numbers", async () => {
    const verdict = await validate([
      "{\n",
      embedding("a"),
      embedding("a"),
      line({ custom_id: "b", method: "GET", url: "/v1/chat/completions", body: { model: "m" } }),
      embedding("c", { model: "other" }),
      line({ method: "POST", url: "/v1/embeddings" }),
      line({ custom_id: "", method: "POST", url: "/v1/embeddings", body: [], more: 1 }),
      "[]\n",
      image("d", { stream: true }),
    ]);

    expect(faultsOf(verdict)).toEqual([
      [1, "invalid_json_line", null],
      [3, "duplicate_custom_id", "custom_id"],
      [4, "invalid_value", "method"],
      [4, "url_mismatch", "url"],
      [5, "model_mismatch", "body.model"],
      [6, "missing_required_parameter", "custom_id"],
      [6, "missing_required_parameter", "body"],
      [7, "invalid_value", "more"],
      [7, "invalid_value", "custom_id"],
      [7, "invalid_value", "body"],
      [8, "invalid_json_line", null],
      [9, "url_mismatch", "url"],
      [9, "invalid_value", "body.stream"],
    ]);
  });

  test("are those of the file, which another key would have as well", async () => {
    for (const lines of [["{\n"], []])
      expect(await validate(lines)).toMatchObject({ kind: "faulty", areOfFile: true });
  });

  test.each([
    ["what is missing is reported once", { custom_id: "a" }, ["method", "url", "body"]],
    [
      "of several unknown fields, the first is named",
      { custom_id: "a", method: "POST", url: "/v1/embeddings", body: {}, one: 1, two: 2 },
      ["one"],
    ],
    [
      "a model is a text",
      { custom_id: "a", method: "POST", url: "/v1/embeddings", body: { model: 5 } },
      ["body.model"],
    ],
    ["an id is a text", { custom_id: 5, method: "POST", url: "/v1/embeddings", body: {} }, ["custom_id"]],
    [
      "an id has a bounded length",
      { custom_id: "x".repeat(513), method: "POST", url: "/v1/embeddings", body: {} },
      ["custom_id"],
    ],
  ])("%s", async (_name, value, params) => {
    expect(faultsOf(await validate([line(value)])).map(([, , param]) => param)).toEqual(params);
  });

  test("an id may have 512 characters", async () => {
    expect(await validate([embedding("x".repeat(512))])).toMatchObject({ kind: "valid" });
  });

  test("are found across parts: an id may be there once in the whole file", async () => {
    const lines = Array.from({ length: 300 }, (_, index) => embedding(`row-${index % 299}`));

    expect(faultsOf(await validate(lines))).toEqual([[300, "duplicate_custom_id", "custom_id"]]);
  });

  test("are bounded", async () => {
    const verdict = await validate(Array.from({ length: 500 }, () => "{\n"));

    expect(faultsOf(verdict)).toHaveLength(100);
    expect(faultsOf(verdict).at(-1)).toEqual([100, "invalid_json_line", null]);

    const many = await validate([...Array.from({ length: 99 }, () => "{\n"), line({ custom_id: "a" })]);
    expect(faultsOf(many)).toHaveLength(100);
  });

  test.each([
    ["no lines", [], "empty_file"],
    ["only empty lines", ["\n", "  \n"], "empty_file"],
    [
      "more lines than allowed",
      Array.from({ length: 1001 }, (_, id) => embedding(`${id}`)),
      "too_many_tasks",
    ],
    ["more inputs than allowed", [embedding("a", { input: Array(5001).fill("") })], "too_many_inputs"],
    [
      "more bytes than allowed",
      Array.from({ length: 30 }, (_, id) => embedding(`${id}`, { input: "x".repeat(40_000) })),
      "file_too_large",
    ],
  ])("a file with %s is refused as a whole", async (_what, lines, code) => {
    expect(faultsOf(await validate(lines, { limits: wide })).at(-1)).toEqual([null, code, null]);
  });

  test("a long line is refused, and its text is not kept", async () => {
    const verdict = await validate([embedding("a"), embedding("b", { input: "x".repeat(10_000) })]);

    expect(faultsOf(verdict)).toEqual([[2, "line_too_long", null]]);
  });

  test("the model is checked once, at the first line", async () => {
    const verdict = await validate([embedding("a"), embedding("b")], {
      checkModel: (model) => ({ code: "model_not_allowed", message: `not ${model}`, param: "model" }),
    });

    expect(verdict).toEqual({
      kind: "faulty",
      faults: [{ code: "model_not_allowed", line: 1, message: "not m", param: "body.model" }],
      areOfFile: false,
    });
  });
});

describe("a line of megabytes", () => {
  test("is read, whatever is around its body", async () => {
    const body = { model: "m", input: Array(2048).fill("a text of some length ".repeat(40)) };
    const line = JSON.stringify({ custom_id: "body", method: "POST", body, url: "/v1/embeddings" });

    const verdict = await validate([`${line}\n`, embedding("b")], { limits: long });

    expect(verdict).toMatchObject({ kind: "valid", model: "m", total: 2 });
  });

  test.each([
    ["many objects", `[${"{},".repeat(5e6)}{}]`, "body.input", "invalid_value"],
    ["deep arrays", `${"[".repeat(5e6)}${"]".repeat(5e6)}`, "body.input", "invalid_value"],
    ["broken JSON", `[${"1,".repeat(5e6)}`, null, "invalid_json_line"],
  ])(
    "with %s in its body is refused before anything is created for it",
    async (_name, input, param, code) => {
      const line = `{"custom_id":"x","method":"POST","url":"/v1/embeddings","body":{"model":"m","input":${input}}}\n`;

      const verdict = await validate([line], { limits: long });

      expect(faultsOf(verdict)).toEqual([[1, code, param]]);
    },
  );

  test.each([
    ["beside its body", `{"custom_id":"x","body":{},"more":[${"{},".repeat(5e6)}{}]}\n`],
    ["in a body that is there twice", `{"body":[${"{},".repeat(5e6)}{}],"body":{}}\n`],
    ["without a body", `[${"{},".repeat(5e6)}{}]\n`],
  ])("with megabytes %s is refused", async (_name, line) => {
    expect(faultsOf(await validate([line], { limits: long }))).toEqual([[1, "invalid_json_line", null]]);
  });
});

interface Options {
  readonly endpoint?: BatchEndpoint;
  readonly limits?: BatchLimits;
  readonly checkModel?: CheckModel;
}

let validated = "";

function validate(lines: readonly string[], options: Options = {}): Promise<FileVerdict> {
  validated = lines.join("");
  return validateFile(chunks(validated), {
    endpoint: "/v1/embeddings",
    shape,
    limits,
    checkModel: () => undefined,
    widthOf: () => 8,
    ...options,
  });
}

async function* chunks(text: string): AsyncGenerator<Buffer> {
  const file = Buffer.from(text);
  for (let at = 0; at < file.length; at += 1000) yield file.subarray(at, at + 1000);
}

function rangesOf(verdict: FileVerdict) {
  if (verdict.kind !== "valid") throw new Error(JSON.stringify(verdict));
  return verdict.ranges.map(({ start, end, firstLine, lines }) => ({
    firstLine,
    lines,
    text: validated.slice(start, end),
  }));
}

function faultsOf(verdict: FileVerdict) {
  if (verdict.kind !== "faulty") throw new Error(JSON.stringify(verdict));
  return verdict.faults.map(({ line, code, param }) => [line, code, param]);
}

function embedding(id: string, body: object = {}): string {
  return line({
    custom_id: id,
    method: "POST",
    url: "/v1/embeddings",
    body: { model: "m", input: id, ...body },
  });
}

function image(id: string, body: object = {}): string {
  const url = "/v1/images/generations";
  return line({ custom_id: id, method: "POST", url, body: { model: "m", prompt: id, ...body } });
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
