import { mkdtempSync, writeFileSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import type { Config } from "@model-gateway/config/config";
import { ConfigurationFile } from "@model-gateway/config/edit/configuration-file";
import { loadConfig } from "@model-gateway/config/load-config";
import { createReloader } from "@model-gateway/config/reload";
import { SecretFilter } from "@model-gateway/config/secrets/secret-filter";
import { openUpstream } from "@model-gateway/providers/registry";
import { createGateway, type Gateway, type GatewayOptions } from "../../src/app/app.js";
import { startServer } from "../../src/app/server.js";
import { stopTimes } from "../../src/app/stop-times.js";
import { openRequestRules } from "../../src/execution/validation/validate.js";
import { openStorage } from "../../src/storage/open-storage.js";
import { createLog, createRequestLog } from "../../src/telemetry/log.js";
import { propagationTracer } from "../../src/telemetry/traces/traces.js";
import { reuseSqliteThread } from "../servers/reused-sqlite-threads.js";
import { createCodeRecorder } from "./record-codes.js";
import { senders, type TestGateway, testAdminKey, testConfig, testEnvironment } from "./test-gateway.js";

/** Of all gateways in this process. */
const requestRules = openRequestRules();

/** Storage whose threads have served other gateways before: they are most of what the start of a gateway costs. */
export const openTestStorage: GatewayOptions["openStorage"] = (config, log) =>
  openStorage(config, log, { readersMax: 1, startWorker: reuseSqliteThread });

/** A gateway from the sources, in the process of the tests. */
export interface InProcessGateway extends TestGateway {
  /** Number of requests without a complete response yet. */
  readonly inFlight: () => number;
  readonly app: Gateway;
  /** Reads another configuration, as after a signal. */
  readonly reload: (config: string) => Promise<void>;
  stop(): Promise<void>;
}

export type InProcessOptions = Partial<
  Pick<
    GatewayOptions,
    | "openUpstream"
    | "openStorage"
    | "wallClock"
    | "transferClock"
    | "tracer"
    | "localSecret"
    | "reloadConfiguration"
    | "fetchImage"
    | "environment"
  >
>;

/** Starts a gateway on a free port. `stop` removes its data, and fails if the spec lacks an error's code. */
export async function startGateway(
  config: string,
  replaced: InProcessOptions = {},
): Promise<InProcessGateway> {
  const home = new InProcessFolder(`${testConfig}${config}`, testEnvironment);
  const gateway = await home.start(replaced);
  return {
    ...gateway,
    reload: (wanted) => gateway.reload(`${testConfig}${wanted}`),
    stop: async () => {
      try {
        await gateway.stop();
      } finally {
        await home.remove();
      }
    },
  };
}

/** A folder in which gateways run one after the other, as `GatewayFolder` is for built ones. */
export class InProcessFolder {
  readonly folder = mkdtempSync(join(tmpdir(), "gateway-test-"));
  readonly environment: Readonly<Record<string, string>>;
  readonly #path = join(this.folder, "gateway.yaml");
  readonly #logs: string[][] = [];
  #running: InProcessGateway | undefined;

  constructor(config: string, environment: Readonly<Record<string, string>> = {}) {
    this.environment = { GATEWAY_ADMIN_KEY: testAdminKey, ...environment };
    writeFileSync(this.#path, config);
  }

  /** The log of all gateways. */
  get output(): string {
    return this.#logs.flat().join("");
  }

  async start(replaced: InProcessOptions = {}): Promise<InProcessGateway> {
    const loaded = this.#load();
    const logLines: string[] = [];
    this.#logs.push(logLines);
    const codes = createCodeRecorder();
    const destination = {
      write: (text: string) => {
        const lines = text.split(/(?<=\n)/);
        codes.note(lines);
        logLines.push(...lines);
      },
    };
    const source = { path: this.#path, environment: this.environment, workingDirectory: this.folder };
    const reload = createReloader({
      load: () => this.#load(),
      apply: (config) => gateway.reload(config),
      onApplied: () => undefined,
      onRefused: (faults) => gateway.noteRefusal(faults),
    });
    const gateway: Gateway = await createGateway({
      configurationFile: new ConfigurationFile(source),
      reloadConfiguration: reload,
      ...gatewayOptions(loaded, destination, replaced),
    });
    const running = await startServer(gateway, loaded);
    this.#running = {
      url: running.url,
      dataDir: loaded.dataDir,
      logLines,
      inFlight: running.inFlight,
      app: gateway,
      reload: async (config) => {
        writeFileSync(this.#path, config);
        await gateway.reload(this.#load());
      },
      spooled: () => readdir(join(loaded.dataDir, "form-spool", String(process.pid))),
      ...senders(running.url),
      stop: async () => {
        this.#running = undefined;
        // No test opens a connection while it stops the gateway.
        await running.stop(stopTimes({ ...loaded.limits, stopDelayMs: 0 }));
        codes.check();
      },
    };
    return this.#running;
  }

  /** Stops running gateways, and removes the folder. */
  async remove(): Promise<void> {
    try {
      await this.#running?.stop();
    } finally {
      await rm(this.folder, { recursive: true, force: true });
    }
  }

  #load(): Config {
    return loadConfig({ path: this.#path, environment: this.environment, workingDirectory: this.folder });
  }
}

function gatewayOptions(
  config: Config,
  destination: { write(text: string): void },
  replaced: InProcessOptions,
): Omit<GatewayOptions, "configurationFile" | "reloadConfiguration"> {
  const secrets = new SecretFilter(config.secrets);
  const log = createLog(config.logLevel, destination, secrets);
  return {
    config,
    log,
    logRequest: createRequestLog(log, destination, secrets),
    secrets,
    openUpstream,
    openStorage: openTestStorage,
    tracer: propagationTracer,
    worker: { slot: 1, count: 1 },
    self: { id: process.pid, isAlive: () => false },
    now: () => performance.now(),
    nodeMajor: Number(process.versions.node.split(".")[0]),
    version: "1.0.0",
    // Tests wait for rows.
    ledgerGatherMs: 0,
    // Only a hang takes this long. On a busy machine, a local model takes half a minute to load.
    trialMsMax: 240_000,
    requestRules,
    // Test gateways have a configured admin key.
    onAdminKeyCreated: () => undefined,
    ...replaced,
  };
}
