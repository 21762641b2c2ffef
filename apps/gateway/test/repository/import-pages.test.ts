import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const src = fileURLToPath(new URL("../../../cli/src/import/", import.meta.url));
const docs = fileURLToPath(new URL("../../../docs/", import.meta.url));

test("every docs page that an import points to exists", () => {
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts"),
  );
  const pages = files.flatMap((file) =>
    [...readFileSync(join(src, file), "utf8").matchAll(/"((?:guides|upstreams)\/[\w-]+\.md)"/g)].map(
      ([, page = ""]) => page,
    ),
  );

  expect(pages.length).toBeGreaterThan(20);
  expect(pages.filter((page) => !existsSync(join(docs, page)))).toEqual([]);
});
