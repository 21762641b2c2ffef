import { mkdtempSync, writeFileSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { createGateway, type GatewayOptions } from "../src/app/app.js";
import { startServer } from "../src/app/server.js";
import { loadConfig } from "../src/config/load-config.js";
import { openUpstream } from "../src/providers/registry.js";
import { openStorage } from "../src/storage/open-storage.js";
import { createLog } from "../src/telemetry/log.js";
import { passOnTracer } from "../src/telemetry/traces/traces.js";

export const testKey = "test-key-0123456789";
export const testAdminKey = "test-admin-key-0123456789";

export interface TestGateway {
  readonly url: string;
  readonly dataDir: string;
  readonly underWay: () => number;
  /** What forms have left on disk. */
  readonly spooled: () => Promise<string[]>;
  /** The lines of the log, as they were written. */
  readonly logLines: string[];
  /** Sends a request with the test key. */
  readonly send: (path: string, init?: RequestInit) => Promise<Response>;
  readonly sendJson: (path: string, body: unknown, init?: RequestInit) => Promise<Response>;
  stop(): Promise<void>;
}

/** Starts a gateway on a free port from the text of a configuration file. */
export async function startGateway(
  config: string,
  {
    onWork,
    ...needs
  }: Partial<Pick<GatewayOptions, "openUpstream" | "openStorage">> & {
    onWork?: () => void;
  } = {},
): Promise<TestGateway> {
  const folder = mkdtempSync(join(tmpdir(), "gateway-test-"));
  const path = join(folder, "gateway.yaml");
  writeFileSync(path, `port: 0\ndataDir: ./data\nkeys: [{ name: tester, key: "\${TEST_KEY}" }]\n${config}`);
  const environment = { TEST_KEY: testKey, GATEWAY_ADMIN_KEY: testAdminKey };
  const loaded = loadConfig({ path, environment, workingDirectory: folder });
  const logLines: string[] = [];
  const log = createLog("info", { write: (text) => void logLines.push(...text.split(/(?<=\n)/)) });
  const gateway = await createGateway({
    config: loaded,
    log,
    openUpstream,
    openStorage,
    tracer: passOnTracer,
    worker: { slot: 1, count: 1 },
    self: { id: process.pid, isAlive: () => false },
    now: () => performance.now(),
    nodeMajor: Number(process.versions.node.split(".")[0]),
    ...needs,
  });
  const running = await startServer(gateway, loaded, onWork);

  const send: TestGateway["send"] = (pathname, init) => {
    const headers = new Headers(init?.headers);
    if (!headers.has("authorization")) headers.set("authorization", `Bearer ${testKey}`);
    return fetch(`${running.url}${pathname}`, { ...init, headers });
  };
  return {
    url: running.url,
    underWay: running.underWay,
    spooled: () => readdir(join(loaded.dataDir, "form-spool", String(process.pid))),
    dataDir: loaded.dataDir,
    logLines,
    send,
    sendJson: (pathname, body, init) =>
      send(pathname, {
        method: "POST",
        ...init,
        body: JSON.stringify(body),
        headers: { "content-type": "application/json", ...Object.fromEntries(new Headers(init?.headers)) },
      }),
    stop: async () => {
      await running.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
