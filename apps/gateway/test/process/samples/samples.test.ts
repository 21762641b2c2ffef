import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { OperationId } from "@model-gateway/domain/operations";
import { describe, expect, test } from "vitest";
import { operationsOf, readSpec } from "../../../src/execution/validation/spec.js";
import {
  addressInSamples,
  languages,
  readSample,
  runGuideBlock,
  type SampleFile,
  samplesFolder,
  testSamples,
} from "./run-samples.js";
import { results } from "./sample-results.js";

test("every operation of the spec has samples in curl, JavaScript and Python, and there are no others", async () => {
  const operationIds = operationsOf(readSpec()).map(({ id }) => id);
  const files = await readdir(samplesFolder, { recursive: true });

  const named = Object.keys(languages) as SampleFile[];
  const missing = operationIds.flatMap((id) => named.filter((file) => readSample(id, file) === ""));
  expect(missing).toEqual([]);
  const known = operationIds.flatMap((id) => [id, ...named.map((file) => join(id, file))]);
  expect(files.filter((file) => !known.includes(file))).toEqual([]);
});

test("the JavaScript and Python in the guide on clients are samples, or run as they are", async () => {
  const guide = await readFile(join(import.meta.dirname, "../../../../docs/guides/clients.md"), "utf8");
  const blocks = [...guide.matchAll(/^```(?:js|python)\n(.*?)^```$/gms)].map(([, text]) => text);
  const files = await readdir(samplesFolder, { recursive: true });
  const samples = await Promise.all(
    files
      .filter((file) => /\.(mjs|py)$/.test(file))
      .map((file) => readFile(join(samplesFolder, file), "utf8")),
  );

  expect(blocks.length).toBeGreaterThan(2);
  const others = blocks.flatMap((block = "") => (samples.includes(block) ? [] : [block]));
  // Mistral's SDK calls an operation whose sample is in OpenAI's.
  expect(others).toEqual([expect.stringContaining("@mistralai/mistralai")]);
  expect(await runGuideBlock(others[0] ?? "")).toBe("[ 384, 384 ]\n");
});

describe.each(Object.keys(results) as OperationId[])("%s", (id) => {
  testSamples(id);

  test("the Python sample speaks of the same address and model as that in curl", () => {
    const curl = readSample(id, "curl.sh");
    const python = readSample(id, "python.py");

    expect(python).toContain(addressInSamples);
    for (const model of ["gte-small", "local-sketch"])
      expect(python.includes(model)).toBe(curl.includes(model));
  });
});
