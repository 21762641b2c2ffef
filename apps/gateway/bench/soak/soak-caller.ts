/** A process that sends several kinds of requests, each at its own pace, and reports their outcomes. */
import { Agent, type ClientRequest, request } from "node:http";
import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { drained } from "./drained.js";
import { type SoakKind, type SoakRequest, soakRequests } from "./soak-requests.js";

/** The order to this process: which requests, how often, and for how long. */
export interface SoakJob {
  readonly port: number;
  readonly ms: number;
  readonly kinds: readonly PacedKind[];
}

/** One kind of request, sent at a steady pace without waiting for responses. */
export interface PacedKind {
  readonly name: SoakKind;
  readonly everyMs: number;
  readonly key: string;
  /** A request that would be more than this many at once is not sent. */
  readonly inFlightMax: number;
}

/** Outcomes of all requests of one kind. */
export interface KindReport {
  readonly name: SoakKind;
  readonly sent: number;
  /** Counts of each status, of broken responses, and of callers that left. */
  readonly statuses: Readonly<Record<string, number>>;
  /** The faults of responses. */
  readonly faults: readonly string[];
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

interface ReceivedResponse {
  readonly status: number | string;
  readonly body: Buffer;
}

/** Every response is counted by its status. Of one in this many, the content is compared. */
const comparedEvery = 20;
const faultsMax = 5;
/** A form that arrives for 25 seconds, a kilobyte at a time. */
const slowSteps = 50;
const slowStepMs = 500;
/** By then a caller that leaves has sent its part. */
const partMs = 300;
const noBytes = Buffer.alloc(0);

process.on("message", async ({ port, ms, kinds }: SoakJob) => {
  // Real callers do not start in the same millisecond, and again together every ten seconds.
  const starts = kinds.map(({ everyMs }, index) => (everyMs * index) / kinds.length);
  process.send?.(
    await Promise.all(kinds.map((kind, index) => sendPaced(kind, { port, ms, startMs: starts[index] ?? 0 }))),
  );
});
process.on("disconnect", () => process.exit());
process.send?.("ready");

async function sendPaced(
  { name, key, everyMs, inFlightMax }: PacedKind,
  { port, ms, startMs }: Omit<SoakJob, "kinds"> & { readonly startMs: number },
): Promise<KindReport> {
  const requests = await soakRequests[name]();
  await setTimeout(startMs);
  const agent = new Agent({ keepAlive: true, maxSockets: inFlightMax });
  const times: number[] = [];
  const statuses: Record<string, number> = {};
  const faults: string[] = [];
  const inFlight = new Set<Promise<void>>();
  let sent = 0;
  const startedAt = performance.now();
  while (performance.now() - startedAt < ms - startMs) {
    const one = requests[sent % requests.length];
    if (one !== undefined && inFlight.size < inFlightMax) {
      const isCompared = sent % comparedEvery === 0;
      sent += 1;
      const began = performance.now();
      const sending = send({ port, key, agent }, one).then((response) => {
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

function findFault(
  { outcome, manner, findFault }: SoakRequest,
  { status, body }: ReceivedResponse,
  isCompared: boolean,
): string | undefined {
  const isFailure = (most: number) => typeof status === "number" && status >= 400 && status <= most;
  // The gateway responds and closes the connection. A caller that is still writing may see only the latter.
  const isClosed = manner === "chunks of a byte" && typeof status === "string";
  // A hostile key may have taken all that it may have, so that no more of it is read.
  const isFull = status === 429 || status === 503;
  if (outcome === "refused")
    return isFailure(499) || isFull || isClosed ? undefined : `a hostile body got ${status}`;
  if (outcome === "left")
    return status === "left" || isFull ? undefined : `a caller that leaves got ${status}`;
  // A stream has begun before it fails: its error is an event.
  if (outcome === "failed")
    return isFailure(599) || body.includes('"error"')
      ? undefined
      : `a request to an upstream that floods got ${status}`;
  if (status !== 200) return `a good request got ${status}: ${body.toString().slice(0, 200)}`;
  return isCompared ? findFault?.(JSON.parse(body.toString())) : undefined;
}

function send(
  { port, key, agent }: { readonly port: number; readonly key: string; readonly agent: Agent },
  { path, contentType, body, manner }: SoakRequest,
): Promise<ReceivedResponse> {
  return new Promise((resolve) => {
    const fail = (failure: Error) => resolve({ status: failure.message, body: noBytes });
    const headers = {
      authorization: `Bearer ${key}`,
      "content-type": contentType,
      ...(manner === "chunks of a byte" ? {} : { "content-length": body.length }),
    };
    const outgoing = request({ port, path, agent, method: "POST", headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
      response.on("error", fail);
    });
    outgoing.on("error", fail);
    // A gateway that has refused a body closes its connection, which the next part is then written to.
    outgoing.on("socket", (socket) => void socket.off("error", ignore).on("error", ignore));
    if (manner === undefined) outgoing.end(body);
    else if (manner === "chunks of a byte") void sendBytes(outgoing, body);
    else void sendPart(outgoing, body, manner).then(() => resolve({ status: "left", body: noBytes }));
  });
}

function ignore(): void {}

async function sendBytes(outgoing: ClientRequest, body: Buffer): Promise<void> {
  for (const byte of body) {
    if (outgoing.destroyed || outgoing.socket?.destroyed === true) break;
    if (!outgoing.write(Buffer.of(byte))) await drained(outgoing);
  }
  outgoing.end();
}

/** Resolves when the caller has left. */
async function sendPart(outgoing: ClientRequest, body: Buffer, manner: "slowly" | "in part"): Promise<void> {
  if (manner === "in part") {
    outgoing.write(body.subarray(0, body.length / 2));
    await setTimeout(partMs);
  } else
    for (let at = 0; at < slowSteps && !outgoing.destroyed; at += 1) {
      outgoing.write(body.subarray(at * 1000, (at + 1) * 1000));
      await setTimeout(slowStepMs);
    }
  outgoing.destroy();
}
