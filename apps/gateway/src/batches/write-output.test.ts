import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { operationsOf, readSpec } from "../execution/validation/spec.js";
import { MissingFileError } from "../files/file-store.js";
import type { Batch, BatchPart, PendingLine } from "./batch.js";
import { requestIdOf } from "./line-results.js";
import { errorsOf, outputOf } from "./write-output.js";

const { jsonShape: shape } = operationsOf(readSpec()).find(({ id }) => id === "createEmbedding") ?? {};
const batch = {
  id: "batch_1",
  endpoint: "/v1/embeddings",
  inputFileId: "file-1",
  outcome: "cancelled",
} as Batch;
const lineCount = 3000;
const partLines = 10;

describe("the error file of a batch that was cancelled", () => {
  test("names each line that never ran, and the input is read once for all parts", async () => {
    const { read, opened } = storeOf({ "file-1": input });

    const errors = await linesOf(
      errorsOf(
        batch,
        options(
          read,
          partsOf(() => null),
        ),
      ),
    );

    expect(errors.map(({ custom_id }) => custom_id)).toEqual(
      Array.from({ length: lineCount }, (_, at) => `row-${at + 1}`),
    );
    expect(errors[0]).toMatchObject({ response: null, error: { code: "batch_cancelled" } });
    expect(opened).toEqual([["file-1", 0]]);
  });

  test("has the results of lines that failed, and leaves out what has run", async () => {
    const { read, opened } = storeOf({ "file-1": input, "part-5": '{"custom_id":"failed"}\n' });
    const segments = [{ fileId: "part-5", outputBytes: 0, errorBytes: 23 }];
    const parts = partsOf((number) =>
      number === 5 ? [{ line: 53, failures: 1 }] : number > 200 ? null : [],
    );
    const withSegment = parts.map((part) => (part.number === 5 ? { ...part, segments } : part));

    const errors = await linesOf(errorsOf(batch, options(read, withSegment)));

    expect(errors.slice(0, 3).map(({ custom_id }) => custom_id)).toEqual(["failed", "row-53", "row-2011"]);
    expect(errors).toHaveLength(2 + 990);
    expect(opened).toEqual([
      ["part-5", 0],
      ["file-1", startOf(50)],
    ]);
  });

  test("says of lines that ran without a stored result that they did", async () => {
    const { read } = storeOf({ "file-1": input });
    const parts = partsOf((number) =>
      number === 0
        ? [
            { line: 1, failures: 0, hasRun: true },
            { line: 2, failures: 0 },
          ]
        : [],
    );

    const errors = await linesOf(errorsOf(batch, options(read, parts)));

    expect(errors.map(({ custom_id, error }) => [custom_id, error?.code])).toEqual([
      ["row-1", "result_not_stored"],
      ["row-2", "batch_cancelled"],
    ]);
    expect(errors[0]?.error?.message).toMatch(/^This request was executed, and may have been billed/);
  });

  test("has no ids if the input was deleted", async () => {
    const { read } = storeOf({});

    const errors = await linesOf(
      errorsOf(
        batch,
        options(
          read,
          partsOf(() => null),
        ),
      ),
    );

    expect(errors).toHaveLength(lineCount);
    expect(errors[0]).toMatchObject({ custom_id: null, error: { code: "batch_cancelled" } });
  });
});

test("results and failures of one part go to their own files", async () => {
  const [good, bad] = ['{"custom_id":"good"}\n', '{"custom_id":"bad"}\n'];
  const { read } = storeOf({ "part-0": good + bad });
  const segments = [{ fileId: "part-0", outputBytes: good.length, errorBytes: bad.length }];
  const parts = partsOf(() => []).map((part) => (part.number === 0 ? { ...part, segments } : part));

  const output = await linesOf(outputOf(batch, options(read, parts)));
  const errors = await linesOf(errorsOf(batch, options(read, parts)));

  expect([output, errors].map((lines) => lines.map(({ custom_id }) => custom_id))).toEqual([
    ["good"],
    ["bad"],
  ]);
});

test("a part that never ran is told from the one before it, whether or not the input is there", async () => {
  const parts = partsOf((number) => (number === 0 ? [{ line: 3, failures: 0 }] : number === 1 ? null : []));
  const unrun = [3, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20];

  for (const files of [{ "file-1": input }, {}]) {
    const errors = await linesOf(errorsOf(batch, options(storeOf(files).read, parts)));

    expect(errors.map(({ id }) => id)).toEqual(unrun.map((line) => `batch_${requestIdOf("batch_1", line)}`));
  }
});

test("the output has the results of all parts", async () => {
  const stored = Object.fromEntries(
    Array.from({ length: lineCount / partLines }, (_, at) => [`part-${at}`, `{"custom_id":"${at}"}\n`]),
  );
  const { read } = storeOf(stored);
  const parts = partsOf(() => []).map((part) => ({
    ...part,
    segments: [{ fileId: `part-${part.number}`, outputBytes: 100, errorBytes: 0 }],
  }));

  const output = await linesOf(outputOf(batch, options(read, parts)));

  expect(output.map(({ custom_id }) => Number(custom_id))).toEqual(parts.map(({ number }) => number));
});

const texts = Array.from(
  { length: lineCount },
  (_, at) =>
    `${JSON.stringify({ custom_id: `row-${at + 1}`, method: "POST", url: "/v1/embeddings", body: { model: "m", input: "a" } })}\n`,
);
const input = texts.join("");
const startOf = (line: number) => texts.slice(0, line).join("").length;

/** All parts of the batch, with the lines of each that are left. */
function partsOf(pendingOf: (number: number) => PendingLine[] | null): BatchPart[] {
  return Array.from({ length: lineCount / partLines }, (_, number) => ({
    id: `batch_1:${number}`,
    batchId: "batch_1",
    number,
    start: startOf(number * partLines),
    end: startOf((number + 1) * partLines),
    firstLine: number * partLines + 1,
    lines: partLines,
    pending: pendingOf(number),
    segments: [],
    attempts: 0,
  }));
}

function options(read: ReturnType<typeof storeOf>["read"], parts: readonly BatchPart[]) {
  return {
    store: {
      listParts: async (_id: string, { from, limit }: { from: number; limit: number }) =>
        parts.slice(from, from + limit),
    },
    files: { read },
    lineBytesMax: 10_000,
    shapeOf: () => shape as NonNullable<typeof shape>,
  };
}

function storeOf(files: Readonly<Record<string, string>>) {
  const opened: (readonly [id: string, start: number])[] = [];
  const read = async (id: string, range = { start: 0, end: Number.POSITIVE_INFINITY }) => {
    const content = files[id];
    if (content === undefined) throw new MissingFileError(id);
    opened.push([id, range.start]);
    return Readable.from([Buffer.from(content).subarray(range.start, range.end)]);
  };
  return { read, opened };
}

async function linesOf(
  chunks: AsyncIterable<Buffer>,
): Promise<{ id?: string; custom_id: string | null; error?: { code: string; message: string } }[]> {
  const gathered: Buffer[] = [];
  for await (const chunk of chunks) gathered.push(chunk);
  return Buffer.concat(gathered)
    .toString()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}
