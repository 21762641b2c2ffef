import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

/** Processes start and exit slowly on a busy machine. */
const polling = { timeout: 90_000 };

let primary: ChildProcess;
let request: (path: string) => Promise<string>;
/** Number of workers that listen. */
let listening: number;

beforeEach(async () => {
  listening = 0;
  primary = spawn(process.execPath, [join(import.meta.dirname, "counting-cluster.mjs"), "3"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const port = await new Promise<string>((resolve) => {
    createInterface(primary.stdout!).on("line", (line) => {
      listening += 1;
      if (line.startsWith("port ")) resolve(line.slice(5));
    });
  });
  request = async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
});
afterEach(async () => {
  // The workers exit with their primary.
  primary.stdin?.end();
  await once(primary, "close");
});

async function count(requests: number): Promise<Set<string>> {
  const workers = new Set<string>();
  for (let number = 0; number < requests; number += 1) workers.add(await request("/count"));
  return workers;
}

function figure(text: string, name: string): number {
  const line = text.split("\n").find((one) => one.startsWith(`${name}{`) || one.startsWith(`${name} `));
  return Number(line?.split(" ").at(-1));
}

const counted = (text: string) => figure(text, "gateway_requests_total");

/** On a busy machine a worker may report late. Its figures are there in the next round. */
async function metricsWith(requests: number): Promise<string> {
  return vi.waitUntil(
    async () => {
      const text = await request("/metrics");
      return counted(text) === requests && text;
    },
    { timeout: 60_000 },
  );
}

test("every worker returns the metrics of all workers", async () => {
  const workers = await count(30);

  const text = await metricsWith(30);
  const texts = await Promise.all(Array.from({ length: 6 }, () => request("/metrics")));

  expect(workers.size).toBe(3);
  expect(texts.map(counted)).toEqual([30, 30, 30, 30, 30, 30]);
  expect(text).toContain(
    'gateway_requests_total{operation="createEmbedding",model="m",outcome="ok",code="none"} 30',
  );
  expect(text).toContain(
    'gateway_request_seconds_bucket{le="0.025",operation="createEmbedding",model="m",upstream="none",outcome="ok"} 30',
  );
  expect(figure(text, "gateway_tokens_total")).toBe(90);
  expect(figure(text, "gateway_workers")).toBe(3);
  expect(figure(text, "gateway_queue_waiting")).toBe(6);
  expect(figure(text, "gateway_ledger_rows")).toBe(3);
  expect(figure(text, "gateway_ledger_oldest_seconds")).toBe(3);
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds [\d.]+$/m);
});

test("a counter does not go back when a worker is killed, and continues with its replacement", async () => {
  await count(30);
  await metricsWith(30);

  process.kill(Number(await request("/pid")), "SIGKILL");
  await expect.poll(async () => figure(await request("/metrics"), "gateway_workers"), polling).toBe(2);
  expect(counted(await request("/metrics"))).toBe(30);
  await request("/fork");
  await expect.poll(() => listening, polling).toBe(4);
  await count(12);

  const text = await metricsWith(42);
  expect(figure(text, "gateway_workers")).toBe(3);
  expect(figure(text, "gateway_queue_waiting")).toBe(6);
});

test("a worker that exits gracefully loses no counts", async () => {
  await count(30);

  await request("/leave");
  await expect.poll(async () => figure(await request("/metrics"), "gateway_workers"), polling).toBe(2);

  await metricsWith(30);
});

test("a stuck worker counts with its last report", async () => {
  await count(30);
  await metricsWith(30);

  await request("/freeze");
  const counts = await Promise.all(Array.from({ length: 3 }, () => request("/metrics").then(counted)));

  expect(counts).toEqual([30, 30, 30]);
});
