import { readdirSync, readFileSync } from "node:fs";
import { constants, monitorEventLoopDelay, PerformanceObserver, performance } from "node:perf_hooks";
import { getHeapSpaceStatistics } from "node:v8";
import { createTally, observe, type Tally } from "../telemetry/metrics/histogram.js";
import { type Merge, type NumberRow, numberMetrics, type ReadMetrics } from "../telemetry/metrics/metric.js";

/** The metrics of this process, under the names that Node programs usually have for Prometheus. */
export function processMetrics(): ReadMetrics {
  const begin = process.cpuUsage();
  const startedAt = Math.round(Date.now() / 1000 - process.uptime());
  const [major = "", minor = "", patch = ""] = process.versions.node.split(".");
  const version = { version: process.version, major, minor, patch };
  const loopRows = watchLoop();
  const readCollections = watchCollections();
  return () => {
    const { user, system } = process.cpuUsage(begin);
    const both = (user + system) / 1e6;
    const start = "Start time of the process since unix epoch in seconds.";
    const numbers = numberMetrics([
      ["process_cpu_user_seconds_total", "Total user CPU time spent in seconds.", user / 1e6],
      ["process_cpu_system_seconds_total", "Total system CPU time spent in seconds.", system / 1e6],
      ["process_cpu_seconds_total", "Total user and system CPU time spent in seconds.", both],
      ["process_start_time_seconds", start, startedAt, "omit"],
      ...fileRows(),
      ...loopRows(),
      ...activityRows(),
      ...heapRows(),
      ["nodejs_version_info", "Node.js version info.", [[version, 1]], "max"],
    ]);
    return [...numbers, ...readCollections()];
  };
}

function fileRows(): NumberRow[] {
  const status = readProc(() => readFileSync("/proc/self/status", "utf8")) ?? "";
  const limits = readProc(() => readFileSync("/proc/self/limits", "utf8")) ?? "";
  const open = readProc(() => readdirSync("/proc/self/fd"));
  const bytes = (pattern: RegExp) => Number(pattern.exec(status)?.[1]) * 1024;
  const openMax = Number(/^Max open files +(\d+)/m.exec(limits)?.[1]);
  return [
    ["process_resident_memory_bytes", "Resident memory size in bytes.", process.memoryUsage.rss()],
    ["process_virtual_memory_bytes", "Virtual memory size in bytes.", bytes(/^VmSize:\s+(\d+) kB/m)],
    ["process_heap_bytes", "Process heap size in bytes.", bytes(/^VmData:\s+(\d+) kB/m)],
    // One of them reads the folder.
    ["process_open_fds", "Number of open file descriptors.", open === undefined ? null : open.length - 1],
    ["process_max_fds", "Maximum number of open file descriptors.", openMax],
  ];
}

function heapRows(): NumberRow[] {
  const { heapTotal, heapUsed, external } = process.memoryUsage();
  const spaces = getHeapSpaceStatistics();
  const spaceRow = (
    what: string,
    field: "space_size" | "space_used_size" | "space_available_size",
  ): NumberRow => [
    `nodejs_heap_space_size_${what}_bytes`,
    `Process heap space size ${what} from Node.js in bytes.`,
    spaces.map((space) => [{ space: space.space_name.replace(/_space$/, "") }, space[field]]),
  ];
  return [
    ["nodejs_heap_size_total_bytes", "Process heap size from Node.js in bytes.", heapTotal],
    ["nodejs_heap_size_used_bytes", "Process heap size used from Node.js in bytes.", heapUsed],
    ["nodejs_external_memory_bytes", "Node.js external memory size in bytes.", external],
    spaceRow("total", "space_size"),
    spaceRow("used", "space_used_size"),
    spaceRow("available", "space_available_size"),
  ];
}

/** Only Linux has such files. */
function readProc<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The delays of the event loop since the last scrape, and its lag after that. */
function watchLoop(): () => NumberRow[] {
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  let lagMs = 0;
  return () => {
    const scrapedAt = performance.now();
    setImmediate(() => {
      lagMs = performance.now() - scrapedAt;
    });
    const { min, max, mean, stddev } = delays;
    const row = (what: string, help: string, nanos: number, merge: Merge = "mean"): NumberRow => [
      `nodejs_eventloop_lag_${what}seconds`,
      help,
      nanos / 1e9,
      merge,
    ];
    const rows = [
      row("", "Lag of event loop in seconds.", lagMs * 1e6),
      row("min_", "The minimum recorded event loop delay.", min, "min"),
      row("max_", "The maximum recorded event loop delay.", max, "max"),
      row("mean_", "The mean of the recorded event loop delays.", mean),
      row("stddev_", "The standard deviation of the recorded event loop delays.", stddev),
      ...[50, 90, 99].map((share) => {
        const help = `The ${share}th percentile of the recorded event loop delays.`;
        return row(`p${share}_`, help, delays.percentile(share));
      }),
    ];
    delays.reset();
    return rows;
  };
}

/** Three views of the work that keeps the event loop alive. Node documents only the first. */
function activityRows(): NumberRow[] {
  const views = process as unknown as Readonly<Record<string, (() => readonly object[]) | undefined>>;
  const namesIn = (view: string) => (views[view]?.() ?? []).map((item) => item.constructor.name);
  const rows = (what: string, help: string, types: readonly string[]): NumberRow[] => [
    [`nodejs_active_${what}`, `Number of active ${help}`, types.map((type) => [{ type }, 1])],
    [`nodejs_active_${what}_total`, `Total number of active ${what}.`, types.length, "sum"],
  ];
  const alive = "resources that are currently keeping the event loop alive, grouped by async resource type.";
  const grouped = (one: string) =>
    `libuv ${one}s grouped by ${one} type. Every ${one} type is C++ class name.`;
  return [
    ...rows("resources", alive, process.getActiveResourcesInfo()),
    ...rows("handles", grouped("handle"), namesIn("_getActiveHandles")),
    ...rows("requests", grouped("request"), namesIn("_getActiveRequests")),
  ];
}

const collectionBounds = [0.001, 0.01, 0.1, 1, 2, 5];
const collectionKinds: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MAJOR]: "major",
  [constants.NODE_PERFORMANCE_GC_MINOR]: "minor",
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: "incremental",
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: "weakcb",
};

function watchCollections(): ReadMetrics {
  const tallies = new Map<string, Tally>();
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { detail, duration } = entry as typeof entry & { readonly detail: { readonly kind: number } };
      const kind = collectionKinds[detail.kind] ?? "unknown";
      const tally = tallies.get(kind) ?? createTally(collectionBounds);
      tallies.set(kind, tally);
      observe(tally, collectionBounds, duration / 1000);
    }
  }).observe({ entryTypes: ["gc"] });
  return () => [
    {
      name: "nodejs_gc_duration_seconds",
      help: "Garbage collection duration by kind, one of major, minor, incremental or weakcb.",
      type: "histogram",
      bounds: collectionBounds,
      samples: [...tallies].map(([kind, tally]) => [{ kind }, tally]),
    },
  ];
}
