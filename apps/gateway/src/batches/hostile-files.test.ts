import { longestTurnMs } from "@model-gateway/test-suite/longest-turn";
import { describe, expect, test } from "vitest";
import { operationsOf, readSpec } from "../execution/validation/spec.js";
import { type FileVerdict, validateFile } from "./validate-file.js";

const mebibyte = 1024 * 1024;
const limits = {
  linesMax: 50_000,
  fileBytesMax: 200 * mebibyte,
  inputsMax: 50_000,
  lineBytesMax: 32 * mebibyte,
};
const isShort = (ms: number) => ms < 60;

const shapes = new Map(operationsOf(readSpec()).map(({ id, jsonShape }) => [id, jsonShape]));
const shape = shapes.get("createEmbedding") as NonNullable<ReturnType<typeof shapes.get>>;

describe("a hostile file", () => {
  test.each([
    ["line feeds", Buffer.alloc(5 * mebibyte, "\n"), "too_many_blank_lines"],
    ["short spaces", Buffer.alloc(5 * mebibyte, "  \r\n"), "too_many_blank_lines"],
    ["braces", Buffer.alloc(5 * mebibyte, "{}\n"), "missing_required_parameter"],
    ["one line of brackets", around(Buffer.alloc(30 * mebibyte, "[")), "invalid_value"],
    ["one line of closed brackets", around(nested(15 * mebibyte)), "invalid_value"],
    ["brackets beside the body", Buffer.alloc(30 * mebibyte, "["), "invalid_json_line"],
    ["objects", around(Buffer.alloc(30 * mebibyte, '{"a":')), "invalid_value"],
    ["one text", around(Buffer.from(`"${"a".repeat(30 * mebibyte)}"`)), "string_above_max_length"],
  ])("of %s is refused, and no turn of the event loop is long", async (_name, file, code) => {
    let verdict: FileVerdict | undefined;

    const longest = await longestTurnMs(async () => {
      verdict = await validate(file);
    });

    expect(codesOf(verdict).at(-1)).toBe(code);
    expect(longest).toSatisfy(isShort);
  });

  test("may have a blank line after each of its lines, and some more", async () => {
    const lines = Array.from({ length: 300 }, (_, index) => `${line(`row-${index}`)}\n\n`).join("");

    expect(await validate(Buffer.from(lines))).toMatchObject({ kind: "valid", total: 300 });
    expect(await validate(Buffer.from(lines), { linesMax: 299 })).toMatchObject({ kind: "faulty" });
  });

  test("is not read on after the line with too many blank ones before it", async () => {
    let chunksRead = 0;
    async function* chunks(): AsyncGenerator<Buffer> {
      for (; chunksRead < 100; chunksRead += 1) yield Buffer.alloc(1000, "\n");
    }

    const verdict = await validateFile(chunks(), {
      ...form,
      limits: { ...limits, linesMax: 5000 },
    });

    expect(verdict).toEqual({
      kind: "faulty",
      faults: [
        {
          code: "too_many_blank_lines",
          line: null,
          message: "The file has more than 5000 blank lines.",
          param: null,
        },
      ],
      areOfFile: true,
    });
    expect(chunksRead).toBe(5);
  });

  test("is not read on if its first line names a model that the key may not call", async () => {
    let chunksRead = 0;
    async function* chunks(): AsyncGenerator<Buffer> {
      for (; chunksRead < 100; chunksRead += 1) yield Buffer.from(`${line(`row-${chunksRead}`)}\n`);
    }

    const verdict = await validateFile(chunks(), {
      ...form,
      checkModel: () => ({ code: "model_not_allowed", message: "no", param: "model" }),
    });

    expect(codesOf(verdict)).toEqual(["model_not_allowed"]);
    expect(chunksRead).toBe(0);
  });
});

const form = {
  endpoint: "/v1/embeddings",
  shape,
  limits,
  checkModel: () => undefined,
  widthOf: () => 8,
} as const;

function validate(file: Buffer, changes: Partial<typeof limits> = {}): Promise<FileVerdict> {
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let at = 0; at < file.length; at += 256 * 1024) {
      await new Promise((resolve) => setImmediate(resolve));
      yield file.subarray(at, at + 256 * 1024);
    }
  }
  return validateFile(chunks(), { ...form, limits: { ...limits, ...changes } });
}

function codesOf(verdict: FileVerdict | undefined): string[] {
  if (verdict?.kind !== "faulty") throw new Error(JSON.stringify(verdict));
  return verdict.faults.map(({ code }) => code);
}

function line(custom_id: string): string {
  return JSON.stringify({
    custom_id,
    method: "POST",
    url: "/v1/embeddings",
    body: { model: "m", input: "a" },
  });
}

/** A line whose input is this text. */
function around(input: Buffer): Buffer {
  const start = '{"custom_id":"a","method":"POST","url":"/v1/embeddings","body":{"model":"m","input":';
  return Buffer.concat([Buffer.from(start), input, Buffer.from("}}\n")]);
}

function nested(depth: number): Buffer {
  return Buffer.concat([Buffer.alloc(depth, "["), Buffer.alloc(depth, "]")]);
}
