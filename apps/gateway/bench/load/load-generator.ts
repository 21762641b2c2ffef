/** A process: sends requests that were written beforehand over raw sockets, and looks at every answer. */
import { performance } from "node:perf_hooks";
import { forgetPeak } from "../measure/process-figures.js";
import { workloads } from "../workloads/index.js";
import type { BenchRequest, Case } from "../workloads/workload.js";
import { Connection } from "./connection.js";
import type { LoadJob, LoadReport } from "./load.js";
import { between, takeReading } from "./reading.js";
import { WindowLog } from "./window-log.js";

const upstreamPid = Number(process.argv[2]);
const prepared = new Map<Case, readonly BenchRequest[]>();

process.on("message", (job: LoadJob) => {
  void run(job).then(
    (report) => process.send?.(report),
    (failure: unknown) => process.send?.({ failure: String(failure) }),
  );
});
process.on("disconnect", () => process.exit());

async function run(job: LoadJob): Promise<LoadReport> {
  const chosen = caseOf(job);
  const requests = prepared.get(chosen) ?? (await chosen.requests());
  prepared.set(chosen, requests);
  const written = requests.map((request) => ({ request, pieces: onTheWire(request, job.headers) }));
  const connections = await Promise.all(
    Array.from({ length: job.concurrency }, () => Connection.open(job.port)),
  );
  const log = new WindowLog(chosen, job);
  let sent = Math.floor(Math.random() * written.length);
  if (job.pid !== undefined) forgetPeak(job.pid);
  const begun = takeReading({ ...job, upstreamPid });

  const drive = async (connection: Connection): Promise<void> => {
    for (let now = begun.at; !isOver(job, now - begun.at, log.requests); ) {
      const next = written[sent++ % written.length];
      if (next === undefined) throw new Error("There is nothing to send.");
      const answer = await connection.send(next.pieces, { wantsBody: log.wantsSample });
      const answeredAt = performance.now();
      log.add(next.request, answer, answeredAt - now);
      now = answeredAt;
    }
  };
  await Promise.all(connections.map(drive));
  const ended = takeReading({ ...job, upstreamPid });
  for (const connection of connections) connection.close();
  return { ...between(begun, ended), ...log.report() };
}

function isOver({ windowMs, windowMsMax, requestsMin }: LoadJob, ms: number, requests: number): boolean {
  return ms >= windowMsMax || (ms >= windowMs && requests >= requestsMin);
}

function caseOf({ workload: name, label }: LoadJob): Case {
  const workload = workloads.find((one) => one.name === name);
  const chosen = workload?.cases.find((one) => one.label === label);
  if (chosen === undefined) throw new Error(`There is no workload ${name} with ${label}.`);
  return chosen;
}

/** Small requests go out in one piece; a large body is not copied for it. */
function onTheWire({ path, contentType, body }: BenchRequest, headers: LoadJob["headers"]): Buffer[] {
  const lines = Object.entries({
    host: "127.0.0.1",
    "content-type": contentType,
    "content-length": String(body.length),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
  return body.length < 1_000_000 ? [Buffer.concat([head, body])] : [head, body];
}
