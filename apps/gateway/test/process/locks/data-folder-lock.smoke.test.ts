import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DataFolderInUseError, lockDataFolder } from "@model-gateway/data-folder/data-folder-lock";
import { writeRunFile } from "@model-gateway/data-folder/run-file";
import { afterEach, beforeEach, expect, test } from "vitest";

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
    `A gateway runs already with the data folder ${dataDir}. Stop it, or choose another folder with DATA_DIR or dataDir in the configuration.`,
  );
});

test("the refusal names the gateway that has the folder, and never one that was killed", async () => {
  const run = { version: "1.0.0", startedAt: "2026-11-19T10:00:00.000Z", secret: "a-secret" };
  writeRunFile(dataDir, { ...run, url: "http://127.0.0.1:1", pid: 1 });
  await startHolder();
  expect(() => lockDataFolder(dataDir)).toThrow(
    `A gateway runs already with the data folder ${dataDir}. Stop it, or`,
  );

  writeRunFile(dataDir, { ...run, url: "http://127.0.0.1:8080", pid: 4321 });

  expect(() => lockDataFolder(dataDir)).toThrow(
    `A gateway runs already with the data folder ${dataDir}: http://127.0.0.1:8080, process 4321. Stop it, or`,
  );
});

test("the lock holds even within one process, and a missing folder is created", () => {
  const folder = join(dataDir, "new", "data");

  const lock = lockDataFolder(folder);

  expect(() => lockDataFolder(folder)).toThrow(DataFolderInUseError);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, "gateway.lock")).mode & 0o777).toBe(0o600);
  lock.release();
});
