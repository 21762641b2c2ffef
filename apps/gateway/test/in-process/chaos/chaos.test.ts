import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { retryQuotaMax, successesPerRetry } from "@model-gateway/scheduling/retry-quota";
import { createRandom, type Random } from "@model-gateway/test-suite/random";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Fault, Script } from "../../fake-upstream/script.js";
import { startUpstreamProcess, type UpstreamProcess } from "../../fake-upstream/upstream-process.mjs";
import { vectorOf } from "../../fake-upstream/vectors.mjs";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";

const secondsMax = Number(process.env.CHAOS_SECONDS ?? 8);
const behaviourMs = 2000;
const sentMin = 100;
const width = 8;

/** An upstream's behaviour for a while. A dead one is killed. */
type Behaviour = Script | "dead";

/** In the order in which they come up at first: a short run has the worst of them. */
const faults: Readonly<Record<string, Fault>> = {
  stalls: { kind: "stall" },
  resets: { kind: "reset" },
  throttles: { kind: "reply", status: 429, headers: { "retry-after-ms": "200" } },
  fails: { kind: "reply", status: 500 },
  miscounts: { kind: "lie", lie: "one-short" },
  cuts: { kind: "cut", afterBytes: 40 },
  garbles: { kind: "garbage" },
  "stalls in the response": { kind: "stall", afterBytes: 40 },
  misnumbers: { kind: "lie", lie: "index-out-of-range" },
  overflows: { kind: "reply", status: 503 },
  closes: { kind: "cut" },
  "resets in the response": { kind: "reset", afterBytes: 40 },
  drips: { kind: "drip", bytes: 60, everyMs: 5 },
};
/** Too rare to open the target's circuit breaker, and no more than may be retried. */
const stumbles = Object.values(faults)
  .filter(({ kind }) => kind !== "stall")
  .map((fault) => ({ ...fault, percent: 1 }));
const behaviours: readonly Behaviour[] = [
  "dead",
  ...Object.values(faults).map((fault) => ({ always: { faults: [fault] } })),
  { always: { faults: stumbles } },
  { always: { delayMs: [100, 300] } },
];
const good: Script = {};

let folder: string;
let upstreams: UpstreamProcess[];
let gateway: InProcessGateway;
const stalling = new Set<UpstreamProcess>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gateway-chaos-"));
  upstreams = await Promise.all([0, 1, 2].map((index) => startUpstreamProcess({ tally: tallyOf(index) })));
  gateway = await startGateway(`
upstreams:
${upstreams.map(({ baseUrl }, index) => `  u${index}: { provider: openai-compatible, baseUrl: "${baseUrl}", timeoutMs: 100000 }`).join("\n")}
models:
  m:
    type: embedding
    dimensions: ${width}
    targets: [${upstreams.map((_, index) => `{ upstream: u${index}, model: m }`).join(", ")}]`);
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all(upstreams.map((upstream) => upstream.kill()));
  rmSync(folder, { recursive: true, force: true });
});

test("with one good upstream of three at any time, no request fails, every vector is right, and failed retries stay within the quota", async () => {
  const failures: unknown[] = [];
  let [sent, attempts, failedRetries, isOver] = [0, 0, 0, false];
  const call = async (name: number) => {
    for (let index = 0; !isOver; index += 1) {
      const input = Array.from({ length: 1 + (index % 3) }, (_, place) => `${name} ${index} ${place}`);
      const { vectors, ...outcome } = await embed(input, index % 2 === 0 ? "float" : "base64");
      sent += 1;
      attempts += outcome.attempts;
      // The last attempt succeeds, and the first is not a retry.
      failedRetries += Math.max(0, outcome.attempts - 2);
      const isRight = JSON.stringify(vectors) === JSON.stringify(input.map((text) => vectorOf(text, width)));
      if (!isRight) failures.push({ ...outcome, sent, input, vectors });
    }
  };

  const callers = Array.from({ length: 12 }, (_, name) => call(name));
  const until = performance.now() + secondsMax * 1000;
  // On a busy machine the time alone is not enough for many requests.
  await trouble(createRandom(), () => performance.now() < until || sent <= sentMin);
  isOver = true;
  await Promise.all(callers);

  // Each call leaves a byte as it arrives, whatever becomes of its upstream. An attempt may not arrive at all.
  const received = upstreams.reduce((sum, _, index) => sum + statSync(tallyOf(index)).size, 0);
  const extra = attempts - sent;
  console.log(
    `${sent} requests under chaos, ${failures.length} failed; ${attempts} attempts (${((100 * extra) / sent).toFixed(1)} % more), of which ${received} arrived.`,
  );
  expect(failures.slice(0, 3)).toEqual([]);
  expect(failedRetries).toBeLessThanOrEqual(retryQuotaMax + sent / successesPerRetry);
  expect(received).toBeGreaterThanOrEqual(sent);
  expect(received).toBeLessThanOrEqual(attempts);
});

async function embed(input: readonly string[], encoding_format: "float" | "base64") {
  const response = await gateway.sendJson(
    "/v1/embeddings",
    { model: "m", input, encoding_format },
    { headers: { "x-gateway-timeout-ms": "100000" } },
  );
  const { data, error } = (await response.json()) as {
    data?: { embedding: number[] | string }[];
    error?: unknown;
  };
  return {
    status: response.status,
    attempts: Number(response.headers.get("x-gateway-attempts")),
    error,
    vectors: data?.map(({ embedding }) => (typeof embedding === "string" ? decode(embedding) : embedding)),
  };
}

function decode(base64: string): number[] {
  return [...new Float32Array(Uint8Array.from(Buffer.from(base64, "base64")).buffer)];
}

/** Every two seconds another upstream is good, and the others do something else. */
async function trouble(random: Random, isOn: () => boolean): Promise<void> {
  let deck: Behaviour[] = [...behaviours];
  for (let round = 0; isOn(); round += 1) {
    // The next one is good before the last one turns bad.
    await setBehaviour(upstreams[round % 3], good);
    for (const [index, upstream] of upstreams.entries()) {
      if (deck.length === 0) deck = random.shuffle(behaviours);
      if (index !== round % 3) await setBehaviour(upstream, deck.shift() ?? good);
    }
    await new Promise((resolve) => setTimeout(resolve, behaviourMs));
  }
  await Promise.all(upstreams.map((upstream) => setBehaviour(upstream, good)));
}

async function setBehaviour(upstream: UpstreamProcess | undefined, behaviour: Behaviour): Promise<void> {
  if (upstream === undefined) return;
  // Stalled calls end when their upstream is killed, as they would with a machine that goes down.
  if (behaviour === "dead" || stalling.delete(upstream)) await upstream.kill();
  if (behaviour === "dead") return;
  if (behaviour.always?.faults?.some(({ kind }) => kind === "stall")) stalling.add(upstream);
  if (upstream.pid === undefined) await upstream.start(behaviour);
  else await upstream.follow(behaviour);
}

function tallyOf(index: number): string {
  return join(folder, `tally-${index}`);
}
