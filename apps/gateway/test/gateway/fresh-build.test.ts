import { expect, test } from "vitest";
import { hashSources } from "../../source-hashes.mjs";
import { changedSources } from "./fresh-build.js";

test("a source that was changed, added or removed makes the build out of date", () => {
  const built = { "src/kept.ts": "1", "src/changed.ts": "2", "src/removed.ts": "3" };
  const now = { "src/kept.ts": "1", "src/changed.ts": "4", "src/added.ts": "5" };

  expect(changedSources(built, now)).toEqual(["src/added.ts", "src/changed.ts", "src/removed.ts"]);
});

test("the build is made from the sources, the spec and the settings of the build, and not from tests", () => {
  const paths = Object.keys(hashSources());

  expect(paths).toEqual(
    expect.arrayContaining(["src/main.ts", "../../spec/generated/requests.json", "rolldown.config.mjs"]),
  );
  expect(paths.filter((path) => path.includes("test"))).toEqual([]);
});
