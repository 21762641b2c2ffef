import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { validateFile } from "../../gateway/src/batches/validate-file.js";
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

test.each(Object.entries(files))(
  "the preview of a file finds the faults that the gateway finds: %s",
  async (_name, lines) => {
    const text = lines.join("\r\n");
    const verdict = await validateFile(Readable.from([Buffer.from(text)]), {
      endpoint: "/v1/embeddings",
      shape: { depth: 100, containers: 1e6, keys: 1e6, items: 1e6, textBytes: 1e6 },
      limits: { linesMax: 1e6, fileBytesMax: 1e9, inputsMax: 1e6, lineBytesMax: 1e6 },
      checkModel: () => undefined,
    });

    const { faults } = await previewFile(new Blob([text]), {
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });

    expect(verdict.kind).toBe("faulty");
    expect(faults).toEqual("faults" in verdict && verdict.faults);
  },
);
