import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "@model-gateway/config/config";
import { SecretFilter } from "@model-gateway/config/secrets/secret-filter";
import { afterAll, expect, test } from "vitest";
import { createLog } from "../telemetry/log.js";
import { openStorage, type Storage } from "./open-storage.js";

const dataDir = mkdtempSync(join(tmpdir(), "storage-"));
afterAll(() => rmSync(dataDir, { recursive: true }));

test("on SQLite, a start ends the lease of a job whose process died", async () => {
  const died = await open();
  await died.jobs.create({
    id: "job_1",
    keyId: "key_1",
    operation: "createImage",
    model: "m",
    status: "queued",
    requestId: "req_1",
    scope: "scope",
    fingerprint: "f",
    createdAt: 0,
    expiresAt: Date.now() + 60_000,
    request: { body: {}, contentType: "application/json", bytes: 2, headers: {}, origin: "", inputs: [] },
  });
  await died.jobs.claim("dead");
  await died.close();

  const next = await open();
  await next.jobs.recover();

  expect(await next.jobs.claim("alive")).toMatchObject({ id: "job_1", status: "in_progress" });
  await next.close();
});

/** Only these settings matter for a file. */
function open(): Promise<Storage> {
  const config = { dataDir, images: {} } as Config;
  return openStorage(config, createLog("silent", { write: () => undefined }, new SecretFilter()));
}
