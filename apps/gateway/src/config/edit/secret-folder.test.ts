import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { chooseSecretName, SecretFolder } from "./secret-folder.js";

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

test.each([
  [{ provider: "openai", upstream: "main", setting: "apiKey" }, [], "OPENAI_API_KEY"],
  [{ provider: "openai", upstream: "main", setting: "apiKey" }, ["OPENAI_API_KEY"], "MAIN_API_KEY"],
  [
    { provider: "openai", upstream: "main", setting: "apiKey" },
    ["OPENAI_API_KEY", "MAIN_API_KEY", "MAIN_API_KEY_2"],
    "MAIN_API_KEY_3",
  ],
  [{ provider: "openai", upstream: "eu/west 1", setting: "x-key" }, ["OPENAI_X_KEY"], "EU_WEST_1_X_KEY"],
  [{ provider: "302ai", upstream: "a", setting: "apiKey" }, [], "UPSTREAM_302AI_API_KEY"],
])("the name for %j, where %j are taken, is %s", (choice, taken, name) => {
  expect(chooseSecretName({ ...choice, isFree: (one) => !taken.includes(one) })).toBe(name);
});
