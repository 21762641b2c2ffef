import { setTimeout } from "node:timers/promises";
import type { BackingServices } from "./backing-services.js";
import {
  addService,
  type CapacityConstants,
  type KindCost,
  type KindName,
  mapServices,
  noServiceCost,
  type ServiceCost,
  scaleService,
} from "./constants.js";
import { Meter, type MeterOptions, type SentRequests } from "./meter.js";
import { measureSameRowCommits } from "./same-row-commits.js";
import { cachedInputs } from "./send-request.js";
import { flushCost, shipRows } from "./simulate.js";

/** The pool of a process, and its probe. */
const connectionsMax = 11;
const single = { requests: 20, atOnce: 1, pauseMs: 800 };
/** Each is shipped alone. */
const shippedMin = 30;
const shippedEveryMs = 600;
const burst = { requests: 5000, atOnce: 32 };
const keys = 200;
const lines = 2000;

/** How many requests of each kind, and how many at once. Embeddings that come alone share no round trip to Redis. */
const plans = {
  embedding: { requests: 1000, atOnce: 1 },
  missed: { requests: 1000, atOnce: 1 },
  cached: { requests: 1000, atOnce: 1 },
  limited: { requests: 1000, atOnce: 1 },
  together: { requests: 3000, atOnce: 32 },
  link: { requests: 60, atOnce: 2 },
  idempotent: { requests: 60, atOnce: 2 },
  job: { requests: 40, atOnce: 2 },
  list: { requests: 200, atOnce: 2 },
} as const satisfies Partial<Record<KindName, { requests: number; atOnce: number }>>;

/** A line of a batch has a twentieth. */
const roundTripsMin = 0.02;

type Ledger = Pick<CapacityConstants, "flush" | "row" | "group">;
export type MeasuredConstants = Omit<CapacityConstants, "machine" | "date" | "points">;

export interface MeasureOptions extends MeterOptions {
  readonly say: (line: string) => void;
}

/** Measures the constants on the first replica. All replicas run. */
export async function measureConstants(options: MeasureOptions): Promise<MeasuredConstants> {
  const { services, replicas, sender, say } = options;
  const meter = new Meter(options);
  await warmUp(options);
  say("measuring idle replicas");
  await meter.measureIdle();
  const connections = services.postgresConnections() / replicas.count;
  say("measuring the ledger");
  await shipSingleRows(options);
  const ledger = await measureLedger(meter, options);
  const storedBytes = await measureStorage(services);
  const kinds: Partial<Record<KindName, KindCost>> = {};
  say("measuring newKey");
  await sender.createKeys(keys);
  kinds.newKey = ownCost(await meter.send({ kind: "newKey", requests: keys, atOnce: 4, keys }), ledger);
  await sender.createKeys(1);
  await sender.send("limited", 0, 0);
  for (const kind of Object.keys(plans) as (keyof typeof plans)[]) {
    say(`measuring ${kind}`);
    kinds[kind] = ownCost(await meter.send({ kind, ...plans[kind] }), ledger);
  }
  say("measuring line");
  kinds.line = ownCost(await measureBatch(meter, options), ledger);
  return {
    base: options.base,
    idle: meter.idle,
    ...ledger,
    // Every kind has its measurement above.
    kinds: kinds as Record<KindName, KindCost>,
    connections: { idle: connections, max: connectionsMax },
    storedBytes,
    sameRowCommits: await measureSameRowCommits(services.directUrl),
  };
}

/** Each kind on each replica: connections are open, code is compiled, inputs are in the cache. */
export async function warmUp({ replicas, sender }: MeterOptions): Promise<void> {
  await sender.createKeys(1);
  for (let replica = 0; replica < replicas.count; replica += 1) {
    for (let input = 0; input < cachedInputs; input += 1) await sender.send("cached", replica, input);
    for (const kind of Object.keys(plans) as (keyof typeof plans)[])
      for (let index = 0; index < 5; index += 1) await sender.send(kind, replica, index);
    for (let index = 0; index < 300; index += 1) await sender.send("embedding", replica, index);
  }
  await shipSingleRows({ replicas, sender });
}

/** Statements of the ledger, until each connection has prepared and planned it: PostgreSQL plans the first five anew. */
async function shipSingleRows({
  replicas,
  sender,
}: Pick<MeterOptions, "replicas" | "sender">): Promise<void> {
  for (let index = 0; index < shippedMin; index += 1) {
    for (let replica = 0; replica < replicas.count; replica += 1)
      await sender.send("embedding", replica, index);
    await setTimeout(shippedEveryMs);
  }
}

/** Three measurements for three unknowns: single rows, many rows of one key, and many rows of many keys. */
async function measureLedger(meter: Meter, { sender }: MeterOptions): Promise<Ledger> {
  const alone = await meter.send({ kind: "embedding", ...single });
  const many = await meter.send({ kind: "embedding", ...burst });
  await sender.createKeys(keys);
  await meter.send({ kind: "newKey", requests: keys, atOnce: 4, keys });
  const ofKeys = await meter.send({ kind: "newKey", requests: 10 * keys, atOnce: 16, keys });
  const first = scaleService(alone.cost.postgres, 1 / alone.requests);
  // Each statement is one round trip.
  const statements = Math.max(1, Math.round(many.cost.postgres.roundTrips));
  const row = {
    ...scaleService(addService(many.cost.postgres, first, -statements), 1 / (many.requests - statements)),
    roundTrips: 0,
  };
  const ofOneKey = addService(first, row, -1);
  const groups = ofKeys.flushes.reduce((sum, flush) => sum + flush.groups, 0) - ofKeys.flushes.length;
  const withoutGroups = addService(scaleService(ofOneKey, ofKeys.flushes.length), row, ofKeys.requests);
  const group = {
    ...scaleService(addService(ofKeys.cost.postgres, withoutGroups, -1), 1 / groups),
    roundTrips: 0,
  };
  return {
    flush: { ...atLeastZero(addService(ofOneKey, group, -1)), roundTrips: 1 },
    row: atLeastZero(row),
    group: atLeastZero(group),
  };
}

/** The cost of a request without its ledger rows. */
function ownCost({ cost, rows, requests, flushes }: SentRequests, ledger: Ledger): KindCost {
  const shipped = flushes.reduce(
    (sum, flush) => addService(sum, flushCost(ledger, flush), -1),
    cost.postgres,
  );
  const own = { ...cost, postgres: shipped };
  const each = mapServices((name) => {
    const cost = scaleService(own[name], 1 / requests);
    // Without round trips there is no cost: the rest is the inaccuracy of the others.
    return cost.roundTrips < roundTripsMin ? noServiceCost : atLeastZero(cost);
  });
  return { ...each, ledgerRows: Math.round((100 * rows) / requests) / 100 };
}

/** Its rows are assumed to arrive evenly. */
async function measureBatch(meter: Meter, { sender }: MeterOptions): Promise<SentRequests> {
  let ms = 0;
  const measured = await meter.measure(async () => {
    const start = Date.now();
    await sender.runBatch(0, lines);
    ms = Date.now() - start;
  });
  const arrivals = Array.from({ length: lines }, (_, index) => ({
    atMs: (ms * index) / lines,
    group: "line",
  }));
  return { ...measured, requests: lines, flushes: shipRows(arrivals) };
}

/** Bytes on disk of a row, with its share of all indexes. */
async function measureStorage(services: BackingServices): Promise<CapacityConstants["storedBytes"]> {
  const bytesOf = async (table: string) => {
    const [found] = await services.query<{ bytes: number }>(
      `select pg_total_relation_size('${table}')::float8 / greatest(1, (select count(*) from ${table})) as bytes`,
    );
    return Math.round(found?.bytes ?? 0);
  };
  await services.query("vacuum full usage_hours");
  return {
    ledgerRow: await bytesOf("ledger_rows"),
    usageRow: await bytesOf("usage_hours"),
    key: await bytesOf("access_keys"),
  };
}

/** The difference of two measurements may be below zero where the cost is. */
function atLeastZero(cost: ServiceCost): ServiceCost {
  const { roundTrips, bytesIn, bytesOut, cpuUs } = cost;
  return {
    roundTrips: rounded(roundTrips),
    bytesIn: rounded(bytesIn),
    bytesOut: rounded(bytesOut),
    cpuUs: rounded(cpuUs),
  };
}

function rounded(value: number): number {
  return Math.max(0, Math.round(value * 100) / 100);
}
