import { formatNumber, table } from "../report/markdown.js";
import { comparePoint } from "./compare-points.js";
import {
  type CapacityConstants,
  type KindName,
  type Load,
  requestKinds,
  type ServiceCost,
  type ServiceName,
} from "./constants.js";
import { simulate } from "./simulate.js";

/** The tables of the page, by the heading that they follow. */
export function capacityTables(constants: CapacityConstants): Readonly<Record<string, string>> {
  return {
    "The cost of a request": kindsTable(constants),
    "The cost of the ledger and of idle replicas": fixedTable(constants),
    "The capacity of one PostgreSQL and one Redis": carriedTable(constants),
    "Rows, keys, jobs and files": storageTable(constants),
    "The first limits": growthTable(constants),
    "How the figures are checked": pointsTable(constants),
  };
}

/** The share of a core that may be busy. The rest is for peaks, autovacuum and checkpoints. */
const busyShare = 0.7;
/** Requests a second of each replica in the table of growth. */
const perReplica = 200;
const daySeconds = 86_400;
const simulatedSeconds = 10;
const carriedSeconds = 2;

function kindsTable({ kinds }: CapacityConstants): string {
  const head = [
    "Request",
    "PostgreSQL: round trips",
    "KB",
    "CPU ms",
    "Redis: round trips",
    "KB",
    "CPU ms",
    "Bucket: requests",
    "KB",
  ];
  const rows = kindNames().map((name) => {
    const { postgres, redis, bucket } = kinds[name];
    return [requestKinds[name], ...cells(postgres), ...cells(redis), ...cells(bucket).slice(0, 2)];
  });
  return table(head, rows);
}

function fixedTable({ idle, flush, row, group }: CapacityConstants): string {
  const head = ["Cost", "Round trips", "KB in", "KB out", "CPU ms"];
  const line = (name: string, { roundTrips, bytesIn, bytesOut, cpuUs }: ServiceCost) => [
    name,
    ...[roundTrips, bytesIn / 1000, bytesOut / 1000, cpuUs / 1000].map(formatSmall),
  ];
  return table(head, [
    line("PostgreSQL: an idle replica, for a second", idle.postgres),
    line("Redis: an idle replica, for a second", idle.redis),
    line("PostgreSQL: a statement that adds rows", flush),
    line("PostgreSQL: each row in it", row),
    line("PostgreSQL: each key and model in it", group),
  ]);
}

/** Requests a second of each kind that keep one core of each server busy, from ten replicas. */
function carriedTable(constants: CapacityConstants): string {
  const head = [
    "Request",
    "A second, for a core of PostgreSQL",
    "A second, for one Redis",
    "A day, for both",
  ];
  const rows = kindNames().map((kind) => {
    const bySecond = (["postgres", "redis"] as const).map((service) => carried(constants, kind, service));
    const least = Math.min(...bySecond);
    return [requestKinds[kind], ...[...bySecond, least * daySeconds].map(formatRate)];
  });
  return table(head, rows);
}

/** The rate that keeps one core of a service busy, without what idle replicas cost. Infinite where it is not used. */
export function carried(constants: CapacityConstants, kind: KindName, service: "postgres" | "redis"): number {
  if (service === "redis" && constants.kinds[kind].redis.roundTrips === 0) return Number.POSITIVE_INFINITY;
  const shareAt = (perSecond: number) => {
    const loads = [{ kind, perSecond }];
    const { cost } = simulate({ constants, replicas: 10, loads, seconds: carriedSeconds });
    return cost[service].cpuUs / 1e6 / carriedSeconds;
  };
  const idleShare = shareAt(0);
  let perSecond = 1000;
  // Rows share statements, so the cost of one falls with the rate. It soon comes to rest.
  for (let attempt = 0; attempt < 5; attempt += 1)
    perSecond *= (busyShare - idleShare) / (shareAt(perSecond) - idleShare);
  return perSecond;
}

function storageTable({ storedBytes, sameRowCommits, connections }: CapacityConstants): string {
  return table(
    ["Figure", "Measured"],
    [
      ["Bytes on disk of a ledger row, with its indexes", formatRate(storedBytes.ledgerRow)],
      ["Bytes on disk of a row of the sums", formatRate(storedBytes.usageRow)],
      ["Bytes on disk of a key", formatRate(storedBytes.key)],
      ["Commits a second that change one row", formatRate(sameRowCommits)],
      ["Connections of an idle replica to PostgreSQL", formatRate(connections.idle)],
      ["Connections of a replica at most", formatRate(connections.max)],
    ],
  );
}

/** The load that grows with the replicas: embeddings by keys with limits and budgets. */
export function growthLoad(replicas: number): readonly Load[] {
  return [{ kind: "limited", perSecond: perReplica * replicas, keys: 10 * replicas }];
}

function growthTable(constants: CapacityConstants): string {
  const head = [
    "Replicas",
    "Requests a second",
    "Connections, most",
    "Polls a second",
    "Ledger statements a second",
    "PostgreSQL, cores",
    "Redis, cores",
    "Ledger a day, GB",
  ];
  const rows = [1, 10, 100, 1000].map((replicas) => {
    const seconds = replicas < 1000 ? simulatedSeconds : 2;
    const { cost, flushes } = simulate({ constants, replicas, loads: growthLoad(replicas), seconds });
    const requests = perReplica * replicas;
    return [
      String(replicas),
      formatRate(requests),
      formatRate(replicas * constants.connections.max),
      formatRate(replicas * constants.idle.postgres.roundTrips),
      formatRate(flushes / seconds),
      ...(["postgres", "redis"] as const).map((name) => formatSmall(cost[name].cpuUs / 1e6 / seconds)),
      formatRate((requests * daySeconds * constants.storedBytes.ledgerRow) / 1e9),
    ];
  });
  return table(head, rows);
}

function pointsTable(constants: CapacityConstants): string {
  const head = [
    "Replicas",
    "Load",
    "PostgreSQL: round trips",
    "bytes",
    "CPU",
    "Redis: round trips",
    "bytes",
    "CPU",
  ];
  const rows = constants.points.map((point) => {
    const compared = comparePoint(constants, point);
    const deviation = (service: ServiceName, figure: keyof ServiceCost) => {
      const found = compared.find((one) => one.service === service && one.figure === figure);
      return found === undefined ? "–" : percent(found.deviation);
    };
    const load = point.loads.map(({ kind, perSecond }) => `${perSecond}/s ${kind}`).join(", ");
    const of = (service: ServiceName) =>
      (["roundTrips", "bytesIn", "cpuUs"] as const).map((figure) => deviation(service, figure));
    return [String(point.replicas), load, ...of("postgres"), ...of("redis")];
  });
  return table(head, rows);
}

/** A page with its tables replaced: the first table after each heading. */
export function withTables(page: string, tables: Readonly<Record<string, string>>): string {
  let text = page;
  for (const [heading, written] of Object.entries(tables)) {
    const start = text.indexOf(`\n## ${heading}\n`);
    const first = text.indexOf("\n|", start);
    if (start === -1 || first === -1) throw new Error(`The page has no table after '${heading}'.`);
    const end = text.indexOf("\n\n", first);
    text = `${text.slice(0, first + 1)}${written}${end === -1 ? "\n" : text.slice(end)}`;
  }
  return text;
}

function kindNames(): KindName[] {
  return Object.keys(requestKinds) as KindName[];
}

function cells({ roundTrips, bytesIn, bytesOut, cpuUs }: ServiceCost): string[] {
  return [roundTrips, (bytesIn + bytesOut) / 1000, cpuUs / 1000].map(formatSmall);
}

function percent(share: number): string {
  const rounded = Math.round(100 * share);
  return rounded > 0 ? `+${rounded} %` : `${rounded} %`;
}

/** Two digits, and nothing for what is too small to be measured. */
function formatSmall(value: number): string {
  if (value < 0.005) return "0";
  if (value < 0.1) return value.toFixed(2);
  return value < 10 ? value.toFixed(1) : formatNumber(Math.round(value));
}

/** Two digits: the measurement is not more exact. */
function formatRate(value: number): string {
  if (!Number.isFinite(value)) return "–";
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1);
  return (Math.round(value / step) * step).toLocaleString("en-US");
}
