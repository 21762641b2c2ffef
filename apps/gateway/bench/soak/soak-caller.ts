/** A process that sends several kinds of requests, each at its own pace, and reports what became of them. */
import { Agent, request } from "node:http";
import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { benchKey } from "../rivals/gateway.js";
import type { KindReport, PacedKind, SoakJob } from "./soak-job.js";
import { createSoakRequests, type SoakRequest } from "./soak-requests.js";

/** Every response is counted by its status. Of one in this many, the content is compared. */
const comparedEvery = 20;
const faultsMax = 5;

process.on("message", async ({ port, ms, kinds }: SoakJob) => {
  const reports = await Promise.all(kinds.map((kind) => sendPaced(kind, { port, ms })));
  process.send?.(reports);
});
process.on("disconnect", () => process.exit());
process.send?.("ready");

async function sendPaced(
  { name, everyMs, inFlightMax }: PacedKind,
  { port, ms }: Omit<SoakJob, "kinds">,
): Promise<KindReport> {
  const requests = await createSoakRequests(name);
  const agent = new Agent({ keepAlive: true, maxSockets: inFlightMax });
  const times: number[] = [];
  const statuses: Record<string, number> = {};
  const faults: string[] = [];
  const inFlight = new Set<Promise<void>>();
  let sent = 0;
  const startedAt = performance.now();
  while (performance.now() - startedAt < ms) {
    const one = requests[sent % requests.length];
    if (one !== undefined && inFlight.size < inFlightMax) {
      const isCompared = sent % comparedEvery === 0;
      sent += 1;
      const began = performance.now();
      const sending = send(port, one, agent).then((response) => {
        times.push(performance.now() - began);
        statuses[response.status] = (statuses[response.status] ?? 0) + 1;
        const fault = findFault(one, response, isCompared);
        if (fault !== undefined && faults.length < faultsMax) faults.push(fault);
        inFlight.delete(sending);
      });
      inFlight.add(sending);
    }
    await setTimeout(Math.max(0, startedAt + sent * everyMs - performance.now()));
  }
  await Promise.all(inFlight);
  agent.destroy();
  times.sort((left, right) => left - right);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { name, sent, statuses, faults, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: times.at(-1) ?? 0 };
}

interface ReceivedResponse {
  readonly status: number | string;
  readonly body: Buffer;
}

function findFault(
  { isHostile, findFault }: SoakRequest,
  { status, body }: ReceivedResponse,
  isCompared: boolean,
): string | undefined {
  if (isHostile === true)
    return typeof status === "number" && status >= 400 && status < 500
      ? undefined
      : `a hostile body got ${status}`;
  if (status !== 200) return `a good request got ${status}: ${body.toString().slice(0, 200)}`;
  return isCompared ? findFault?.(JSON.parse(body.toString())) : undefined;
}

function send(
  port: number,
  { path, contentType, body }: SoakRequest,
  agent: Agent,
): Promise<ReceivedResponse> {
  return new Promise((resolve) => {
    const outgoing = request(
      {
        port,
        path,
        agent,
        method: "POST",
        headers: {
          authorization: `Bearer ${benchKey}`,
          "content-type": contentType,
          "content-length": body.length,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
        response.on("error", (failure) => resolve({ status: failure.message, body: Buffer.alloc(0) }));
      },
    );
    outgoing.on("error", (failure) => resolve({ status: failure.message, body: Buffer.alloc(0) }));
    outgoing.end(body);
  });
}
