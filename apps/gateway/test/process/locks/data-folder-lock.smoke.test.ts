import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DataFolderInUseError, lockDataFolder } from "../../../src/storage/data-folder-lock.js";

let dataDir: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "lock-"));
});

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  rmSync(dataDir, { recursive: true });
});

/** Another process that locks the folder as a gateway does, and keeps running. */
async function startHolder(): Promise<ChildProcess> {
  const holder = new URL("./hold-data-folder.mjs", import.meta.url);
  const child = spawn(process.execPath, [holder.pathname, dataDir], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const [output] = (await once(child.stdout, "data")) as [Buffer];
  expect(String(output)).toBe("locked\n");
  return child;
}

test("a second process is refused until the first has exited", async () => {
  const first = await startHolder();

  expect(() => lockDataFolder(dataDir)).toThrow(new DataFolderInUseError(dataDir));
  first.kill("SIGTERM");
  await once(first, "exit");

  lockDataFolder(dataDir).release();
});

test("a killed process leaves no lock behind", async () => {
  const first = await startHolder();

  first.kill("SIGKILL");
  await once(first, "exit");

  lockDataFolder(dataDir).release();
});

test("a released folder can be locked by another process", async () => {
  lockDataFolder(dataDir).release();

  await startHolder();

  expect(() => lockDataFolder(dataDir)).toThrow(
    `The data folder ${dataDir} is in use by another gateway. Stop that gateway, or choose another folder with dataDir in the configuration or DATA_DIR.`,
  );
});

test("the lock holds even within one process, and a missing folder is created", () => {
  const folder = join(dataDir, "new");

  const lock = lockDataFolder(folder);

  expect(() => lockDataFolder(folder)).toThrow(DataFolderInUseError);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, "gateway.lock")).mode & 0o777).toBe(0o600);
  lock.release();
});
