import { expect, test } from "vitest";
import { type FilePreview, faultsMax, previewFile } from "./preview-file.js";

const line = (custom_id: string, more: object = {}) =>
  JSON.stringify({
    custom_id,
    method: "POST",
    url: "/v1/embeddings",
    body: { model: "m", input: "a" },
    ...more,
  });

async function preview(...lines: readonly string[]): Promise<FilePreview> {
  const options = { signal: new AbortController().signal, onProgress: () => undefined };
  return previewFile(new Blob([lines.map((one) => `${one}\n`).join("")]), options);
}

test("a file without faults has its lines, its endpoint and its model", async () => {
  const found = await preview(line("a"), "", line("b"), "  \r");

  expect(found).toMatchObject({ lines: 2, items: 2, endpoint: "/v1/embeddings", faults: [], failures: [] });
  expect([...found.models]).toEqual([["m", 2]]);
  expect([...found.urls]).toEqual([["/v1/embeddings", 2]]);
});

test("the tokens are estimated from the texts, and token ids are counted", async () => {
  const bodies = ["abcdefgh", ["abcd", "abcdefgh"], [1, 2, 3], [[1, 2], [3]]];

  const found = await preview(
    ...bodies.map((input, index) => line(String(index), { body: { model: "m", input } })),
  );

  expect(found).toMatchObject({ items: 6, tokens: 2 + 3 + 3 + 3 });
});

test("faults have the number of their line in the file", async () => {
  const found = await preview(
    line("a"),
    "",
    "{",
    line("a"),
    line("b", { body: { model: "n" } }),
    line("c", { url: "/v1/images/generations" }),
  );

  expect(found.faults.map(({ line, code }) => [line, code])).toEqual([
    [3, "invalid_json_line"],
    [4, "duplicate_custom_id"],
    [5, "model_mismatch"],
    [6, "url_mismatch"],
  ]);
  expect(found).toMatchObject({ lines: 5, faultyLines: 4 });
  expect([...found.models.keys()]).toEqual(["m", "n"]);
});

test("lines without a required value will fail, and the file stays valid", async () => {
  const found = await preview(
    line("a", { body: { model: "m" } }),
    line("b", { body: { model: "m", input: "" } }),
    line("c", { body: { model: "m", input: ["a", ""] } }),
    line("d", { body: { model: "m", input: [] } }),
    line("e"),
  );

  expect(found).toMatchObject({ faults: [], faultyLines: 0, failingLines: 4 });
  expect(found.failures.map(({ line, code }) => [line, code])).toEqual([
    [1, "missing_required_parameter"],
    [2, "empty_string"],
    [3, "empty_string"],
    [4, "empty_array"],
  ]);
});

test("texts and images are counted as the gateway counts them", async () => {
  const texts = await preview(
    line("a"),
    line("b", { body: { model: "m", input: ["a", "b", "c"] } }),
    line("c", { body: { model: "m", input: [1, 2, 3] } }),
    line("d", { body: { model: "m", input: [[1], [2, 3]] } }),
  );
  const url = "/v1/images/generations";
  const images = await preview(
    line("a", { url, body: { prompt: "a fox" } }),
    line("b", { url, body: { prompt: "a fox", n: 4 } }),
  );

  expect([texts.items, images.items]).toEqual([7, 5]);
});

test("a line with a fault counts for its model", async () => {
  const found = await preview(line("a"), line("b", { method: "GET" }));

  expect(found).toMatchObject({ lines: 2, faultyLines: 1 });
  expect([...found.models]).toEqual([["m", 2]]);
});

test("a url that batches do not have is a fault, and is not taken as the endpoint", async () => {
  const found = await preview(line("a", { url: "/v1/chat/completions" }), line("b"));

  expect(found.endpoint).toBe("/v1/embeddings");
  expect(found.faults).toMatchObject([{ line: 1, code: "url_mismatch" }]);
  expect([...found.urls.keys()]).toEqual(["/v1/chat/completions", "/v1/embeddings"]);
});

test("whatever the file has, few names and faults are kept", async () => {
  const found = await preview(
    ...Array.from({ length: 500 }, (_, index) =>
      line("same", { url: `/${index}${"u".repeat(500)}`, body: { model: `m${index}${"x".repeat(500)}` } }),
    ),
  );

  expect(found).toMatchObject({ lines: 500, faultyLines: 500, endpoint: undefined });
  expect(found.faults).toHaveLength(faultsMax);
  expect(found.urls.size).toBeLessThanOrEqual(10);
  expect(Math.max(...[...found.urls.keys()].map((url) => url.length))).toBeLessThan(150);
});

test("a reading that is not wanted any more ends", async () => {
  const controller = new AbortController();
  controller.abort(new Error("another file"));

  const options = { signal: controller.signal, onProgress: () => undefined };
  await expect(previewFile(new Blob([line("a")]), options)).rejects.toThrow("another file");
});
