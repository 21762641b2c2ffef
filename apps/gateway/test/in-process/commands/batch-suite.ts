import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import type { FakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { type SuiteGateway, suiteGateway } from "../../gateway/suite.js";
import { testKey } from "../../gateway/test-gateway.js";
import { startFakeBatches } from "../../servers/fake-batches.js";
import { type CommandOptions, type CommandRun, runCommand } from "./run-command.js";

/** A gateway with the model `text`, whose batches the test drives, and a folder for each test. */
export interface BatchSuite extends SuiteGateway {
  readonly fake: Awaited<ReturnType<typeof startFakeBatches>>;
  readonly folder: string;
  /** Runs a command in the folder, with the key of a caller. */
  run(args: readonly string[], options?: CommandOptions): Promise<CommandRun>;
}

const oneModel = ({ baseUrl }: FakeUpstream) => `
upstreams: { main: { provider: openai-compatible, baseUrl: "${baseUrl}" } }
models: { text: { type: embedding, dimensions: 8, targets: [{ upstream: main, model: m }] } }`;

/** For the tests of one file. */
export function batchSuite(configuration: (upstream: FakeUpstream) => string = oneModel): BatchSuite {
  const suite = suiteGateway(configuration);
  let fake: BatchSuite["fake"];
  let folder: string;
  beforeAll(() => suite.upstream.follow({ always: { width: 8 } }));
  beforeEach(async () => {
    fake = await startFakeBatches(() => suite.gateway.url);
    folder = mkdtempSync(join(tmpdir(), "batch-command-"));
  });
  afterEach(() => {
    fake.close();
    rmSync(folder, { recursive: true });
  });
  afterAll(() => suite.upstream.follow({}));
  return {
    get gateway() {
      return suite.gateway;
    },
    get upstream() {
      return suite.upstream;
    },
    get fake() {
      return fake;
    },
    get folder() {
      return folder;
    },
    run: (args, options = {}) =>
      runCommand(fake.url, args, { folder, environment: { GATEWAY_KEY: testKey }, ...options }),
  };
}
