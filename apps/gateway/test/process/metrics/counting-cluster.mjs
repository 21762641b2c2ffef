/**
 * Several workers on one port that count requests: `node counting-cluster.mjs <workers>`. `GET /count` counts one,
 * `/metrics` returns the metrics of all workers, `/pid` the process id, `/freeze` blocks the worker for three seconds,
 * `/fork` adds a worker, and `/leave` stops one gracefully. The port is printed once all workers listen.
 */
import cluster from "node:cluster";
import { createServer } from "node:http";
import { hubTopics } from "../../../dist/modules/app/workers/hub-topics.js";
import { SupervisorLink } from "../../../dist/modules/app/workers/supervisor-link.js";
import { WorkerHub } from "../../../dist/modules/app/workers/worker-hub.js";
import { processMetrics } from "../../../dist/modules/process/process-metrics.js";
import { gatherMetrics } from "../../../dist/modules/telemetry/metrics/cluster-metrics.js";
import { createMetrics } from "../../../dist/modules/telemetry/metrics/metrics.js";
import { stateMetrics } from "../../../dist/modules/telemetry/metrics/state-metrics.js";

if (cluster.isPrimary) runPrimary();
else runWorker();

function runPrimary() {
  cluster.schedulingPolicy = cluster.SCHED_RR;
  new WorkerHub(cluster, hubTopics());
  for (let number = 0; number < Number(process.argv[2]); number += 1) cluster.fork();
  let listening = 0;
  cluster.on("listening", (_worker, { port }) => {
    listening += 1;
    console.log(listening === Number(process.argv[2]) ? `port ${port}` : "worker");
  });
  cluster.on("message", (_worker, message) => {
    if (message === "fork") cluster.fork();
  });
  process.stdin.resume().on("end", () => process.exit());
}

function runWorker() {
  const metrics = createMetrics({ isModel: (id) => id === "m", isUpstream: () => false });
  metrics.include(() =>
    stateMetrics({
      queue: () => ({
        waiting: [{ model: "m", interactive: 2, bulk: 0 }],
        counts: {
          interactive: { direct: 0, waited: 0, refused: 0, waitedMs: 0 },
          bulk: { direct: 0, waited: 0, refused: 0, waitedMs: 0 },
        },
      }),
      diskFreeBytes: () => 1000,
      ledger: () => ({
        rows: 1,
        bytes: 10,
        heldRows: 0,
        oldestAgeMs: cluster.worker.id * 1000,
        shipped: 0,
        dropped: 0,
        corrupt: 0,
        rejected: 0,
        lastFailure: null,
      }),
    }),
  );
  metrics.include(processMetrics());
  const link = new SupervisorLink(cluster.worker, "");
  const all = gatherMetrics(link, metrics);
  const responses = {
    "/count": () => {
      metrics.begin("createEmbedding");
      metrics.end({
        operation: "createEmbedding",
        model: "m",
        upstream: null,
        attempts: 0,
        status: 200,
        inputTokens: 3,
        outputTokens: 0,
        images: 0,
        costNanos: null,
        ms: 20,
        cache: null,
        errorCode: null,
        failure: null,
        tokensEstimated: false,
      });
      return String(process.pid);
    },
    "/metrics": async () => (await all.render()).text,
    "/pid": () => String(process.pid),
    "/freeze": () => {
      setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000));
      return "frozen";
    },
    "/fork": () => {
      process.send("fork");
      return "forked";
    },
    "/leave": () => {
      setImmediate(() => void link.reportUnasked("metrics").then(() => process.exit()));
      return "left";
    },
  };
  createServer(async (request, response) => {
    response.setHeader("connection", "close").end(await responses[request.url]());
  }).listen(0, "127.0.0.1");
}
