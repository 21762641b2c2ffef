import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openUploadFolder } from "./read-form.js";

test("only the folders of dead processes are removed", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "spool-"));
  const root = join(dataDir, "form-spool");
  for (const name of ["10", "20", "30", "photos"]) {
    mkdirSync(join(root, name), { recursive: true });
    writeFileSync(join(root, name, "file"), "x");
  }

  const own = await openUploadFolder(dataDir, { id: 30, isAlive: (id) => id === 20 });

  expect(readdirSync(root).sort()).toEqual(["20", "30", "photos"]);
  expect(own).toBe(join(root, "30"));
  expect(readdirSync(own)).toEqual([]);
});
