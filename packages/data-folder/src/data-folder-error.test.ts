import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { explainDataFolder } from "./data-folder-error.js";

const remedy = "or choose another folder with DATA_DIR or dataDir in the configuration.";

/** The failure of an action. */
function failureOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (failure) {
    return failure;
  }
}

test("a file in the place of the folder, or above it, is said in one sentence with the way out", () => {
  const file = join(mkdtempSync(join(tmpdir(), "not-a-folder-")), "file");
  writeFileSync(file, "");
  const folders = [file, join(file, "data")];

  const said = folders.map((folder) => {
    const failure = failureOf(() => mkdirSync(folder, { recursive: true }));
    return (explainDataFolder(failure, folder) as Error).message;
  });

  expect(said).toEqual(
    folders.map((folder, index) =>
      expect.stringMatching(
        new RegExp(
          `^The data folder ${folder} cannot be used: a part of its path is a file\\. Remove that file, ${remedy} \\(${index === 0 ? "EEXIST" : "ENOTDIR"}: .*\\)$`,
        ),
      ),
    ),
  );
});

test.each([
  ["EROFS", "its file system is read-only. Mount it writable"],
  ["EACCES", "the user of the gateway may not write to it. Change its owner or its rights"],
  ["EPERM", "the user of the gateway may not write to it. Change its owner or its rights"],
])("%s inside the folder names the folder and what to do", (code, reason) => {
  const failure = Object.assign(new Error(`${code}: open`), { code, path: "/srv/data/gateway.lock" });

  expect(explainDataFolder(failure, "/srv/data")).toMatchObject({
    message: `The data folder /srv/data cannot be used: ${reason}, ${remedy} (${code}: open)`,
    cause: failure,
  });
});

test("the cause of a failure may be about the folder, as of a database that cannot be opened", () => {
  const cause = Object.assign(new Error("EACCES: open"), { code: "EACCES", path: "/srv/data/gateway.db" });
  const failure = Object.assign(new Error("The database cannot be opened."), {
    code: "database_open",
    cause,
  });

  expect(explainDataFolder(failure, "/srv/data")).toMatchObject({ name: "DataFolderError", cause });
});

test("failures elsewhere stay as they are", () => {
  const elsewhere = Object.assign(new Error("EACCES: open"), { code: "EACCES", path: "/srv/data-2/file" });
  const port = Object.assign(new Error("listen EACCES"), { code: "EACCES", port: 80 });

  for (const failure of [elsewhere, port, new Error("unknown"), undefined])
    expect(explainDataFolder(failure, "/srv/data")).toBe(failure);
});
