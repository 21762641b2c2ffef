import { mkdtempSync, writeFileSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { createGateway, type Gateway, type GatewayOptions } from "../../src/app/app.js";
import { startServer } from "../../src/app/server.js";
import { stopTimes } from "../../src/app/stop-times.js";
import { loadConfig } from "../../src/config/load-config.js";
import { openUpstream } from "../../src/providers/registry.js";
import { SecretFilter } from "../../src/secrets/secret-filter.js";
import { openStorage } from "../../src/storage/open-storage.js";
import { createLog, createRequestLog } from "../../src/telemetry/log.js";
import { propagationTracer } from "../../src/telemetry/traces/traces.js";
import { createCodeRecorder } from "./record-codes.js";
import { senders, type TestGateway, testConfig, testEnvironment } from "./test-gateway.js";

/** A gateway from the sources, in the process of the tests. */
export interface InProcessGateway extends TestGateway {
  /** How many requests have come that have no complete response yet. */
  readonly inFlight: () => number;
  readonly app: Gateway;
  /** Reads another configuration, as after a signal. */
  readonly reload: (config: string) => Promise<void>;
  stop(): Promise<void>;
}

export type InProcessOptions = Partial<
  Pick<GatewayOptions, "openUpstream" | "openStorage" | "wallClock" | "tracer">
>;

/** Starts a gateway on a free port. `stop` removes what it has stored, and fails if the spec lacks the code of an error. */
export async function startGateway(
  config: string,
  replaced: InProcessOptions = {},
): Promise<InProcessGateway> {
  const folder = mkdtempSync(join(tmpdir(), "gateway-test-"));
  const path = join(folder, "gateway.yaml");
  writeFileSync(path, `${testConfig}${config}`);
  const load = () => loadConfig({ path, environment: testEnvironment, workingDirectory: folder });
  const loaded = load();
  const logLines: string[] = [];
  const codes = createCodeRecorder();
  const destination = {
    write: (text: string) => {
      const lines = text.split(/(?<=\n)/);
      codes.note(lines);
      logLines.push(...lines);
    },
  };
  const secrets = new SecretFilter(loaded.secrets);
  const log = createLog(loaded.logLevel, destination, secrets);
  const gateway = await createGateway({
    config: loaded,
    log,
    logRequest: createRequestLog(log, destination, secrets),
    secrets,
    openUpstream,
    openStorage,
    tracer: propagationTracer,
    worker: { slot: 1, count: 1 },
    self: { id: process.pid, isAlive: () => false },
    now: () => performance.now(),
    nodeMajor: Number(process.versions.node.split(".")[0]),
    version: "1.0.0",
    // Test gateways have a configured admin key.
    onAdminKeyCreated: () => undefined,
    ...replaced,
  });
  const running = await startServer(gateway, loaded);
  return {
    url: running.url,
    dataDir: loaded.dataDir,
    logLines,
    inFlight: running.inFlight,
    app: gateway,
    reload: async (wanted) => {
      writeFileSync(path, `${testConfig}${wanted}`);
      await gateway.reload(load());
    },
    spooled: () => readdir(join(loaded.dataDir, "form-spool", String(process.pid))),
    ...senders(running.url),
    stop: async () => {
      // No test opens a connection while it stops the gateway.
      await running.stop(stopTimes({ ...loaded.limits, stopDelayMs: 0 }));
      await rm(folder, { recursive: true, force: true });
      codes.check();
    },
  };
}
