/** A process that sends several kinds of requests, each at its own pace, and reports what became of them. */
import { Agent, type ClientRequest, request } from "node:http";
import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { benchKey } from "../rivals/gateway.js";
import { drained } from "./drained.js";
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
  { outcome, findFault }: SoakRequest,
  { status, body }: ReceivedResponse,
  isCompared: boolean,
): string | undefined {
  const isBetween = (least: number, most: number) =>
    typeof status === "number" && status >= least && status <= most;
  switch (outcome) {
    case "refused":
      return isBetween(400, 499) ? undefined : `a hostile body got ${status}`;
    case "failed":
      // A stream has begun before it fails: its error is an event.
      return isBetween(400, 599) || body.includes('"error"')
        ? undefined
        : `a request to an upstream that floods got ${status}`;
    case "left":
      return status === "left" ? undefined : `a caller that leaves got ${status}`;
    case undefined:
      if (status !== 200) return `a good request got ${status}: ${body.toString().slice(0, 200)}`;
      return isCompared ? findFault?.(JSON.parse(body.toString())) : undefined;
  }
}

function send(
  port: number,
  { path, contentType, body, manner }: SoakRequest,
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
          ...(manner === "chunks of a byte" ? {} : { "content-length": body.length }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
        response.on("error", (failure) => resolve({ status: failure.message, body: noBytes }));
      },
    );
    outgoing.on("error", (failure) => resolve({ status: failure.message, body: noBytes }));
    if (manner === undefined) outgoing.end(body);
    else void sendHostile(outgoing, body, manner).then(() => resolve({ status: "left", body: noBytes }));
  });
}

/** Resolves when the caller has left. One that sends chunks of a byte stays for its response. */
async function sendHostile(
  outgoing: ClientRequest,
  body: Buffer,
  manner: NonNullable<SoakRequest["manner"]>,
): Promise<void> {
  switch (manner) {
    case "chunks of a byte":
      for (
        let at = 0;
        at < body.length && !outgoing.destroyed && outgoing.socket?.destroyed !== true;
        at += 1
      )
        if (!outgoing.write(body.subarray(at, at + 1))) await drained(outgoing);
      outgoing.end();
      return new Promise(() => undefined);
    case "slowly":
      for (let at = 0; at < slowSteps && !outgoing.destroyed; at += 1) {
        outgoing.write(body.subarray(at * 1000, (at + 1) * 1000));
        await setTimeout(slowStepMs);
      }
      break;
    case "in part":
      outgoing.write(body.subarray(0, body.length / 2));
      await setTimeout(partMs);
  }
  outgoing.destroy();
}

/** A form that arrives for 25 seconds, a kilobyte at a time. */
const slowSteps = 50;
const slowStepMs = 500;
/** Then a caller that leaves has sent its part. */
const partMs = 300;
const noBytes = Buffer.alloc(0);
