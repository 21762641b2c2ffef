/** A process: sends prepared requests over raw sockets and checks every response. */
import { performance } from "node:perf_hooks";
import { workloads } from "../workloads/images.js";
import type { BenchRequest, WorkloadCase } from "../workloads/workload.js";
import { Connection } from "./connection.js";
import type { LoadJob, LoadReport } from "./load-job.js";
import { resetPeakMemory, takeSnapshot, usageBetween } from "./resource-usage.js";
import { WindowLog } from "./window-log.js";

const upstreamPid = Number(process.argv[2]);
const prepared = new Map<WorkloadCase, readonly BenchRequest[]>();

process.on("message", (job: LoadJob) => {
  void run(job).then(
    (report) => process.send?.(report),
    (failure: unknown) => process.send?.({ failure: String(failure) }),
  );
});
process.on("disconnect", () => process.exit());

async function run(job: LoadJob): Promise<LoadReport> {
  const driver = await openDriver(job);
  const neighbours = await Promise.all(
    (job.neighbours ?? []).map((neighbour) => openDriver({ ...job, ...neighbour, samplesMax: 0 })),
  );
  if (job.pid !== undefined) resetPeakMemory(job.pid);
  const start = takeSnapshot({ ...job, upstreamPid });
  let isWindowOver = false;
  const beside = neighbours.map((neighbour) => neighbour.drive(() => isWindowOver));
  await driver.drive(() => isOver(job, performance.now() - start.at, driver.log.requests));
  const end = takeSnapshot({ ...job, upstreamPid });
  isWindowOver = true;
  await Promise.all(beside);
  for (const one of [driver, ...neighbours]) one.close();
  const report = driver.log.report();
  return {
    ...usageBetween(start, end),
    ...report,
    faults: Object.assign({}, report.faults, ...neighbours.map(({ log }) => log.report().faults)),
  };
}

interface Driver {
  readonly log: WindowLog;
  /** Sends requests on every connection, one after the other, until `isOver` returns true. */
  readonly drive: (isOver: () => boolean) => Promise<void>;
  readonly close: () => void;
}

async function openDriver(
  job: Pick<LoadJob, "workload" | "label" | "port" | "headers" | "concurrency" | "samplesMax">,
): Promise<Driver> {
  const workloadCase = findCase(job);
  const requests = prepared.get(workloadCase) ?? (await workloadCase.createRequests());
  prepared.set(workloadCase, requests);
  const encoded = requests.map((request) => ({ request, pieces: encode(request, job.headers) }));
  const connections = await Promise.all(
    Array.from({ length: job.concurrency }, () => Connection.open(job.port)),
  );
  const log = new WindowLog(workloadCase, job);
  let sent = Math.floor(Math.random() * encoded.length);
  const driveOne = async (connection: Connection, isOver: () => boolean): Promise<void> => {
    let now = performance.now();
    while (!isOver()) {
      const next = encoded[sent++ % encoded.length];
      if (next === undefined) throw new Error("The workload has no requests.");
      const response = await connection.send(next.pieces, { wantsBody: log.wantsSample });
      const receivedAt = performance.now();
      log.add(next.request, response, receivedAt - now);
      now = receivedAt;
    }
  };
  return {
    log,
    drive: async (isOver) => {
      await Promise.all(connections.map((connection) => driveOne(connection, isOver)));
    },
    close: () => {
      for (const connection of connections) connection.close();
    },
  };
}

function isOver({ windowMs, windowMsMax, requestsMin }: LoadJob, ms: number, requests: number): boolean {
  return ms >= windowMsMax || (ms >= windowMs && requests >= requestsMin);
}

function findCase({ workload: name, label }: Pick<LoadJob, "workload" | "label">): WorkloadCase {
  const workload = workloads.find((one) => one.name === name);
  const found = workload?.cases.find((one) => one.label === label);
  if (found === undefined) throw new Error(`There is no workload ${name} with the case ${label}.`);
  return found;
}

/** A small request is one buffer. A large body stays apart from the head, so it is not copied. */
function encode({ path, contentType, body }: BenchRequest, headers: LoadJob["headers"]): Buffer[] {
  const lines = Object.entries({
    host: "127.0.0.1",
    "content-type": contentType,
    "content-length": String(body.length),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
  return body.length < 1_000_000 ? [Buffer.concat([head, body])] : [head, body];
}
