import { importBifrost } from "@model-gateway/cli/import/bifrost/import-bifrost";
import { importLitellm } from "@model-gateway/cli/import/litellm/import-litellm";
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { bifrostFile } from "./bifrost-file.js";
import { patterns, router, severalProviders } from "./litellm-files.js";

type Steps = readonly (string | number)[];

const origins = new Proxy({}, { get: (_target, name) => `http://${String(name)}.example` });

/** The path of every value that has no parts. */
function leavesOf(value: unknown, steps: Steps = []): Steps[] {
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) return [steps];
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesOf(inner, [...steps, Array.isArray(value) ? Number(key) : key]),
  );
}

function pathOf(steps: Steps): string {
  return steps.reduce<string>(
    (path, step) =>
      typeof step === "number" ? `${path}[${step}]` : `${path}${path === "" ? "" : "."}${step}`,
    "",
  );
}

/** The path itself, and those of the parts that it is in. */
function namesOf(steps: Steps): string[] {
  return steps.map((_step, index) => pathOf(steps.slice(0, index + 1)));
}

/** A copy in which the value at these steps is another. */
function changed(source: unknown, [step, ...rest]: Steps, value: unknown): unknown {
  if (step === undefined) return value;
  const copy = structuredClone(source) as Record<string | number, unknown>;
  copy[step] = changed(copy[step], rest, value);
  return copy;
}

/** An import of a value, whose errors are texts as well. */
type Import = (source: unknown) => string;

function orError(run: () => string): string {
  try {
    return run();
  } catch (error) {
    return String(error);
  }
}

const litellm: Import = (source) => orError(() => importLitellm(stringify(source), "config.yaml"));
const bifrost: Import = (source) => orError(() => importBifrost(JSON.stringify(source), "config.json"));

test.each([
  ["LiteLLM file with several providers", litellm, parse(severalProviders(origins))],
  ["LiteLLM file with a router", litellm, parse(router(origins))],
  ["LiteLLM file with patterns", litellm, parse(patterns(origins))],
  ["Bifrost file", bifrost, bifrostFile],
])("every value of a %s is imported, or named as not imported", (_name, importFile, source: unknown) => {
  const written = importFile(source);
  const notImported = written.slice(written.indexOf("# Not imported:")).split("\n");
  const named = new Set(notImported.map((line) => line.replace(/^#\s*/, "").split(" ")[0]));

  const lost = leavesOf(source).filter((steps) => {
    if (namesOf(steps).some((path) => named.has(path))) return false;
    // A value that counts changes the result when it is another.
    const others = ["os.environ/ANOTHER", "env.ANOTHER", "another", 7];
    return others.every((value) => importFile(changed(source, steps, value)) === written);
  });

  expect(lost.map(pathOf)).toEqual([]);
});
