import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { chooseSecretName, type NameChoice, SecretFolder } from "./secret-folder.js";

test("only the gateway's user can read the folder and its files", async () => {
  const parent = mkdtempSync(join(tmpdir(), "secret-folder-"));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const path = join(parent, "data", "secrets");
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o755);
  const folder = new SecretFolder(path);

  await folder.write(
    new Map([
      ["A", "one"],
      ["B", "two"],
    ]),
  );
  await folder.remove(["B", "NOT_THERE", "../gateway.yaml"]);

  expect(statSync(path).mode & 0o777).toBe(0o700);
  expect(statSync(join(path, "A")).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(path, "A"), "utf8")).toBe("one\n");
  expect(readdirSync(path)).toEqual(["A"]);
});

test.each<[Omit<NameChoice, "isFree">, string[], string]>([
  [{ variable: "FAL_KEY", upstream: "main", setting: "apiKey" }, [], "FAL_KEY"],
  [{ variable: "FAL_KEY", upstream: "main", setting: "apiKey" }, ["FAL_KEY"], "MAIN_API_KEY"],
  [
    { variable: "FAL_KEY", upstream: "main", setting: "apiKey" },
    ["FAL_KEY", "MAIN_API_KEY", "MAIN_API_KEY_2"],
    "MAIN_API_KEY_3",
  ],
  [{ variable: undefined, upstream: "eu/west 1", setting: "x-key" }, [], "EU_WEST_1_X_KEY"],
  [{ variable: undefined, upstream: "302ai", setting: "apiKey" }, [], "UPSTREAM_302AI_API_KEY"],
])("the name for %j, where %j are taken, is %s", (choice, taken, name) => {
  expect(chooseSecretName({ ...choice, isFree: (one) => !taken.includes(one) })).toBe(name);
});
