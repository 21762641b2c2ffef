import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seededRandom } from "../../src/scheduling/test/fake-clock.js";
import { startGateway, type TestGateway } from "../running-gateway.js";

const script = new URL("moody-upstream.mjs", import.meta.url).pathname;
const moods = ["fails", "throttles", "resets", "stalls", "cuts", "lies", "garbles", "dead"] as const;
const secondsMax = Number(process.env.CHAOS_SECONDS ?? 8);

interface Upstream {
  readonly port: number;
  process: ChildProcess | undefined;
  mood: string;
}

let upstreams: Upstream[];
let gateway: TestGateway;

beforeAll(async () => {
  upstreams = await Promise.all(
    [1, 2, 3].map(async () => ({ port: await freePort(), process: undefined, mood: "good" })),
  );
  await Promise.all(upstreams.map(revive));
  const names = upstreams.map(
    ({ port }, index) =>
      `  u${index}: { provider: openai-compatible, baseUrl: "http://127.0.0.1:${port}/v1", timeoutMs: 20000 }`,
  );
  gateway = await startGateway(`
upstreams:
${names.join("\n")}
models:
  m:
    type: embedding
    dimensions: 16
    targets: [${upstreams.map((_, index) => `{ upstream: u${index}, model: m }`).join(", ")}]`);
});
afterAll(async () => {
  await gateway.stop();
  for (const upstream of upstreams) upstream.process?.kill("SIGKILL");
});

test("with one good upstream of three at any time, no request fails and every vector is right", async () => {
  const random = seededRandom(20261115);
  const until = performance.now() + secondsMax * 1000;
  let sent = 0;
  const failures: unknown[] = [];
  const caller = async (name: number) => {
    for (let index = 0; performance.now() < until; index += 1) {
      const input = `caller ${name} text ${index}`;
      const answer = await gateway.sendJson(
        "/v1/embeddings",
        { model: "m", input },
        { headers: { "x-gateway-timeout-ms": "20000" } },
      );
      const body = (await answer.json()) as { data?: [{ embedding: number[] }] };
      sent += 1;
      if (JSON.stringify(body.data?.[0].embedding) !== JSON.stringify(vectorOf(input)))
        failures.push({ status: answer.status, attempts: answer.headers.get("x-gateway-attempts"), body });
    }
  };
  const trouble = async () => {
    for (let round = 0; performance.now() < until; round += 1) {
      // The next one is good before the last one turns bad.
      await setMood(upstreams[round % 3], "good");
      for (const [index, upstream] of upstreams.entries()) {
        const mood = moods[Math.floor(random() * moods.length)] ?? "good";
        if (index !== round % 3) await setMood(upstream, mood);
      }
      await new Promise((resolve) => setTimeout(resolve, 2000));
    }
    await Promise.all(upstreams.map((upstream) => setMood(upstream, "good")));
  };

  await Promise.all([trouble(), ...Array.from({ length: 12 }, (_, name) => caller(name))]);

  console.log(`${sent} requests under chaos, ${failures.length} failed.`);
  expect(failures.slice(0, 3)).toEqual([]);
  expect(sent).toBeGreaterThan(100);
}, 120_000);

/** Stalled calls end when their upstream is killed, as they would with a machine that goes down. */
async function setMood(upstream: Upstream | undefined, mood: string): Promise<void> {
  if (upstream === undefined) return;
  if (upstream.mood === "stalls" || mood === "dead") await kill(upstream);
  upstream.mood = mood;
  if (mood === "dead") return;
  await revive(upstream);
  await fetch(`http://127.0.0.1:${upstream.port}/mood`, { method: "POST", body: mood });
}

async function kill(upstream: Upstream): Promise<void> {
  const running = upstream.process;
  upstream.process = undefined;
  if (running === undefined) return;
  running.kill("SIGKILL");
  await once(running, "exit");
}

async function revive(upstream: Upstream): Promise<void> {
  if (upstream.process !== undefined) return;
  const started = spawn(process.execPath, [script, String(upstream.port)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  upstream.process = started;
  await once(started.stdout, "data");
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

function vectorOf(text: string): number[] {
  const hash = createHash("sha512").update(text).digest();
  return Array.from({ length: 16 }, (_, index) => ((hash[index] ?? 0) - 128) / 256);
}
