import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { readGivenInputs } from "../../gateway/src/api/embedding-messages.js";
import { validateFile } from "../../gateway/src/batches/validate-file.js";
import { operationsOf, readSpec } from "../../gateway/src/execution/validation/spec.js";
import { Validator } from "../../gateway/src/execution/validation/validate.js";
import { checkBody } from "../src/pages/jobs/upload/check-body.js";
import { previewFile } from "../src/pages/jobs/upload/preview-file.js";

const line = (custom_id: unknown, more: object = {}) =>
  JSON.stringify({ custom_id, method: "POST", url: "/v1/embeddings", body: { model: "m" }, ...more });

/** The gateway reports at most 100 faults, and the preview 20. */
const files: Readonly<Record<string, readonly string[]>> = {
  form: [
    line("good"),
    "not JSON",
    "[1]",
    "null",
    "{}",
    line("a", { method: "GET", extra: 1, "ünknown\u0007": 2 }),
    line(""),
    line(7),
    line("x".repeat(513)),
    line("b", { body: [] }),
    line("c", { body: { model: 5, stream: true } }),
    line("d", { url: "/v1/images/edits" }),
  ],
  together: [
    line("a"),
    "",
    line("a"),
    line("b", { body: { model: "n" } }),
    line("c", { body: {} }),
    "\ufeff",
  ],
};

const shape = {
  depth: 100,
  containers: 1e6,
  keys: 1e6,
  objectKeys: 1e6,
  items: 1e6,
  textBytes: 1e6,
  dataUrlBytes: 1e6,
  dataUrlPaths: [],
};

test.each(Object.entries(files))(
  "the preview of a file finds the faults that the gateway finds: %s",
  async (_name, lines) => {
    const text = lines.join("\r\n");
    const verdict = await validateFile(Readable.from([Buffer.from(text)]), {
      endpoint: "/v1/embeddings",
      shape,
      limits: { linesMax: 1e6, fileBytesMax: 1e9, inputsMax: 1e6, lineBytesMax: 1e6 },
      checkModel: () => undefined,
      widthOf: () => undefined,
    });

    const { faults } = await previewFile(new Blob([text]), {
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });

    if (verdict.kind !== "faulty") throw new Error(`The file is ${verdict.kind}.`);
    // The message for operators leaves out texts of the file, which its own preview may show.
    expect(faults).toEqual(verdict.faults.map(({ operatorMessage: _, ...fault }) => fault));
  },
);

const image = { image_url: "https://example.com/a.png" };

test.each([
  ["/v1/embeddings", { input: "a" }],
  ["/v1/embeddings", { input: [] }],
  ["/v1/images/generations", { prompt: "a fox" }],
  ["/v1/images/generations", {}],
  ["/v1/images/generations", { prompt: "" }],
  ["/v1/images/edits", { prompt: "a fox", images: [image] }],
  ["/v1/images/edits", { prompt: "a fox" }],
  ["/v1/images/edits", { prompt: "a fox", images: [] }],
  ["/v1/images/edits", { images: [image] }],
] as const)("the preview of a line at %s says how the gateway will refuse it: %j", async (endpoint, body) => {
  expect(checkBody({ endpoint, body })).toEqual(await refusalsOf(endpoint, body));
});

test("a line needs inputs or a conversation, as the gateway says", () => {
  const check = (body: Readonly<Record<string, unknown>>) => checkBody({ endpoint: "/v1/embeddings", body });

  expect(check({ messages: [{ role: "user", content: "a" }] })).toEqual([]);
  expect(() => readGivenInputs({}, undefined)).toThrow(expect.objectContaining(check({})[0]));
});

const document = readSpec();
const validator = new Validator(document);

async function refusalsOf(endpoint: string, body: object): Promise<object[]> {
  const operation = operationsOf(document).find(
    ({ path, method }) => path === endpoint && method.toLowerCase() === "post",
  );
  const headers = { "content-type": "application/json" };
  try {
    await validator.validate({ url: endpoint, query: {}, params: {}, headers, body }, operation!);
    return [];
  } catch (failure) {
    const { code, param, message } = failure as { code: string; param: string; message: string };
    return [{ code, param, message }];
  }
}
