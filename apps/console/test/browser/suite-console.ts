import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../../gateway/test/fake-upstream/fake-upstream.mjs";
import type { Script } from "../../../gateway/test/fake-upstream/script.js";
import { type BuiltGateway, startBuiltGateway } from "../../../gateway/test/gateway/built.js";
import { testAdminKey, testKey } from "../../../gateway/test/gateway/test-gateway.js";
import { ConsolePage } from "./console-page.js";

/** A browser at the console of a gateway in front of the fake upstream, from a file's first test to its last. */
export interface SuiteConsole {
  readonly upstream: FakeUpstream;
  readonly gateway: BuiltGateway;
  readonly site: ConsolePage;
}

interface SuiteOptions {
  /** Without it, the gateway has the embedding model `text-embedding-3-small`. */
  readonly config?: (baseUrl: string) => string;
  /** Each test begins with it. */
  readonly script?: Script;
  /** Failed responses that the tests provoke, such as `/^401 for /`. */
  readonly provoked?: RegExp;
}

/**
 * Starts the three before the tests of a file, and stops them after these. In the end no request has left the origin,
 * no policy was broken, and no key was in an address or in the log.
 */
export function suiteConsole({
  config = oneModel,
  script = { always: { width: 32 } },
  provoked,
}: SuiteOptions = {}): SuiteConsole {
  let upstream: FakeUpstream | undefined;
  let gateway: BuiltGateway | undefined;
  let site: ConsolePage | undefined;
  beforeAll(async () => {
    upstream = await startFakeUpstream({ script });
    gateway = await startBuiltGateway(config(upstream.baseUrl));
    site = await ConsolePage.open(`${gateway.url}/console/`);
  });
  beforeEach(() => upstream?.follow(script));
  afterAll(async () => {
    await site?.close();
    await gateway?.stop();
    await upstream?.close();
    if (site === undefined || gateway === undefined) return;
    expect(site.elsewhere()).toEqual([]);
    expect(site.complaints(provoked)).toEqual([]);
    for (const secret of [testAdminKey, testKey])
      expect([...site.addresses, gateway.stdout()].filter((text) => text.includes(secret))).toEqual([]);
  });
  return {
    get upstream() {
      return started(upstream);
    },
    get gateway() {
      return started(gateway);
    },
    get site() {
      return started(site);
    },
  };
}

function oneModel(baseUrl: string): string {
  return `
upstreams: { fake: { provider: openai-compatible, baseUrl: "${baseUrl}" } }
models:
  text-embedding-3-small: { type: embedding, targets: [{ upstream: fake, model: text-embedding-3-small }] }
`;
}

function started<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("The console is there in tests and hooks only.");
  return value;
}
