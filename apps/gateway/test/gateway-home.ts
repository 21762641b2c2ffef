import { mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type GatewayProcess, startGatewayProcess } from "./gateway-process.js";
import { testAdminKey } from "./running-gateway.js";

/** A built gateway that serves. */
export interface ServedGateway extends GatewayProcess {
  readonly address: string;
  /** By SIGTERM, with care. Gives the exit code. */
  stop(): Promise<number | null>;
  /** With kill -9. */
  kill(): Promise<void>;
}

/** A folder in which built gateways are started as processes of their own, with the test's admin key. */
export class GatewayHome {
  readonly folder = mkdtempSync(join(tmpdir(), "gateway-home-"));
  readonly environment: Readonly<Record<string, string>>;
  readonly #started: GatewayProcess[] = [];

  constructor(config: string, environment: Readonly<Record<string, string>> = {}) {
    this.environment = { GATEWAY_ADMIN_KEY: testAdminKey, ...environment };
    this.configure(config);
  }

  configure(config: string): void {
    writeFileSync(join(this.folder, "gateway.yaml"), config);
  }

  /** What all of them have said. */
  get output(): string {
    return this.#started.map(({ stdout, stderr }) => `${stdout()}${stderr()}`).join("");
  }

  /** Resolves when it serves. */
  async start(environment: Readonly<Record<string, string>> = {}): Promise<ServedGateway> {
    const gateway = startGatewayProcess({
      folder: this.folder,
      environment: { ...this.environment, ...environment },
    });
    this.#started.push(gateway);
    return {
      ...gateway,
      address: await gateway.url(),
      stop: () => end(gateway, "SIGTERM"),
      kill: async () => void (await end(gateway, "SIGKILL")),
    };
  }

  /** With all that it has written, and whatever still runs in it. */
  async remove(): Promise<void> {
    for (const gateway of this.#started) await end(gateway, "SIGKILL");
    await rm(this.folder, { recursive: true, force: true });
  }
}

function end(gateway: GatewayProcess, signal: NodeJS.Signals): Promise<number | null> {
  gateway.process.kill(signal);
  return gateway.exit;
}
