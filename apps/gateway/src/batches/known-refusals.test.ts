import { expect, test } from "vitest";
import { KnownRefusals } from "./known-refusals.js";

const limits = { linesMax: 10, fileBytesMax: 1000, inputsMax: 10, lineBytesMax: 100 };
const faults = [{ code: "invalid_json_line", line: 2, message: "Not JSON.", param: null }];

test("the faults of a file are known for its endpoint, within the same limits", async () => {
  const stored = new Map<string, string>();
  const files = {
    noteRefusal: async (id: string, refusal: string) => void stored.set(id, refusal),
    refusalOf: async (id: string) => stored.get(id),
  };
  const refusals = new KnownRefusals({ files, limits });
  expect(await refusals.find("file-1", "/v1/embeddings")).toBeUndefined();

  await refusals.note("file-1", "/v1/embeddings", faults);

  expect(await refusals.find("file-1", "/v1/embeddings")).toEqual(faults);
  expect(await refusals.find("file-2", "/v1/embeddings")).toBeUndefined();
  expect(await refusals.find("file-1", "/v1/images/generations")).toBeUndefined();
  const wider = new KnownRefusals({ files, limits: { ...limits, linesMax: 20 } });
  expect(await wider.find("file-1", "/v1/embeddings")).toBeUndefined();
});
