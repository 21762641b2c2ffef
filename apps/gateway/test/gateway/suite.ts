import { afterAll, beforeAll } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../fake-upstream/fake-upstream.mjs";
import { type InProcessGateway, type InProcessOptions, startGateway } from "./in-process.js";

/** A gateway in front of the fake upstream. Both run from a file's first test to its last. */
export interface SuiteGateway {
  readonly gateway: InProcessGateway;
  readonly upstream: FakeUpstream;
}

/** Starts a gateway before the tests of a file or a `describe`, and stops it after them. */
export function suiteGateway(
  config: (upstream: FakeUpstream) => string,
  options: InProcessOptions = {},
): SuiteGateway {
  let upstream: FakeUpstream | undefined;
  let gateway: InProcessGateway | undefined;
  beforeAll(async () => {
    upstream = await startFakeUpstream();
    gateway = await startGateway(config(upstream), options);
  });
  afterAll(async () => {
    await gateway?.stop();
    await upstream?.close();
  });
  return {
    get gateway() {
      return started(gateway);
    },
    get upstream() {
      return started(upstream);
    },
  };
}

function started<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("The gateway is there in tests and hooks only.");
  return value;
}
