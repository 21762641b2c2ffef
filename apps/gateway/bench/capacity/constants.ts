import { readFileSync } from "node:fs";

export const serviceNames = ["postgres", "redis", "bucket"] as const;
export type ServiceName = (typeof serviceNames)[number];

/** A cost for one service. */
export interface ServiceCost {
  readonly roundTrips: number;
  /** Bytes to the service. */
  readonly bytesIn: number;
  /** Bytes from the service. */
  readonly bytesOut: number;
  /** CPU time of the service's processes, in microseconds. The bucket is a stand-in, so it has none. */
  readonly cpuUs: number;
}

export type Cost = Readonly<Record<ServiceName, ServiceCost>>;

/** The kinds of requests, by name, with what each is. */
export const requestKinds = {
  embedding: "An embedding of one input",
  missed: "An embedding that goes into the cache",
  cached: "An embedding from the cache in Redis",
  limited: "An embedding by a key with limits and a budget",
  together: "The same, 32 at once on a replica",
  link: "An image behind a link",
  idempotent: "An image with an `Idempotency-Key`",
  job: "An image job, from its creation to its result",
  line: "A line of a batch",
  list: "A page of 20 requests in the admin API",
  newKey: "The first request of a key on a replica",
} as const;
export type KindName = keyof typeof requestKinds;

/** A request's own cost, without that of its ledger rows. */
export interface KindCost extends Cost {
  readonly ledgerRows: number;
}

/** Costs that `npm run bench -- --replicas 2` has measured. */
export interface CapacityConstants {
  readonly machine: string;
  /** The day of the measurement. */
  readonly date: string;
  /** The services without a replica, for one second: the timers of Redis. */
  readonly base: Cost;
  /** One replica without requests, for one second. */
  readonly idle: Cost;
  /** The statement that adds ledger rows, without rows. */
  readonly flush: ServiceCost;
  /** One row of it. */
  readonly row: ServiceCost;
  /** One more combination of key, model, operation and upstream in it, which is a row of the sums by hour and by day. */
  readonly group: ServiceCost;
  readonly kinds: Readonly<Record<KindName, KindCost>>;
  /** Connections to PostgreSQL of one replica: without requests, and the most. */
  readonly connections: { readonly idle: number; readonly max: number };
  /** Bytes on disk of one row, with its indexes. */
  readonly storedBytes: { readonly ledgerRow: number; readonly usageRow: number; readonly key: number };
  /** Commits a second that change the same row: they wait for each other, and for the disk. */
  readonly sameRowCommits: number;
  /** Mixed load that was measured, to compare the simulation with. */
  readonly points: readonly MeasuredPoint[];
}

/** Requests of one kind at an even rate. */
export interface Load {
  readonly kind: KindName;
  readonly perSecond: number;
  /** The keys that send them in turn. One by default. */
  readonly keys?: number;
}

/** Some seconds of load, and what it cost the services in all. */
export interface MeasuredPoint {
  readonly replicas: number;
  readonly loads: readonly Load[];
  readonly seconds: number;
  /** Seconds after the load in which the last ledger rows arrived. */
  readonly restSeconds: number;
  readonly measured: Cost;
}

/** Reads what a measurement has written. */
export function readConstants(path: string): CapacityConstants {
  return JSON.parse(readFileSync(path, "utf8")) as CapacityConstants;
}

export const noServiceCost: ServiceCost = { roundTrips: 0, bytesIn: 0, bytesOut: 0, cpuUs: 0 };
export const noCost: Cost = { postgres: noServiceCost, redis: noServiceCost, bucket: noServiceCost };

/** One cost plus some times another. */
export function addService(one: ServiceCost, other: ServiceCost, times = 1): ServiceCost {
  return {
    roundTrips: one.roundTrips + times * other.roundTrips,
    bytesIn: one.bytesIn + times * other.bytesIn,
    bytesOut: one.bytesOut + times * other.bytesOut,
    cpuUs: one.cpuUs + times * other.cpuUs,
  };
}

export function scaleService(cost: ServiceCost, factor: number): ServiceCost {
  return addService(noServiceCost, cost, factor);
}

export function scale(cost: Cost, factor: number): Cost {
  return add(noCost, cost, factor);
}

export function add(one: Cost, other: Cost, times = 1): Cost {
  return mapServices((name) => addService(one[name], other[name], times));
}

export function mapServices(costOf: (name: ServiceName) => ServiceCost): Cost {
  return { postgres: costOf("postgres"), redis: costOf("redis"), bucket: costOf("bucket") };
}
