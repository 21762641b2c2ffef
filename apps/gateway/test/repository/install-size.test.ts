import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../../..");
/** In megabytes, as measured with the packed packages on Linux. */
const sizes = { whole: 167, slim: 55 };

test.each([
  ["apps/docs/guides/quick-start.md", /installs the package, (?<whole>\d+) MB/],
  ["apps/docs/guides/command-line.md", /install takes (?<whole>\d+) MB\. .* with (?<slim>\d+) MB\./],
  ["apps/docs/guides/deploy.md", /\| (?<slim>\d+) MB without local models, (?<whole>\d+) MB with them/],
  ["apps/gateway/README.md", /instead of (?<whole>\d+) MB/],
  ["CHANGELOG.md", /An install takes (?<slim>\d+) MB without local models, and (?<whole>\d+) MB with them/],
])("%s has the measured size of an installation", (file, pattern) => {
  const found = pattern.exec(readFileSync(join(root, file), "utf8"))?.groups ?? {};

  const numbers = Object.fromEntries(Object.entries(found).map(([name, text]) => [name, Number(text)]));
  expect(Object.keys(numbers)).not.toEqual([]);
  expect(sizes).toMatchObject(numbers);
});
