import {
  add,
  addService,
  type CapacityConstants,
  type Cost,
  type Load,
  noCost,
  type ServiceCost,
  scaleService,
} from "./constants.js";

/** As in `usage/ledger/shipper.ts`. */
const gatherMs = 500;
const batchRowsMax = 500;

export interface SimulationOptions {
  readonly constants: Pick<CapacityConstants, "base" | "idle" | "flush" | "row" | "group" | "kinds">;
  readonly replicas: number;
  /** The load of all replicas together. Each kind goes to them in turn. */
  readonly loads: readonly Load[];
  readonly seconds: number;
  /** Seconds after the load. */
  readonly restSeconds?: number;
}

export interface Simulation {
  /** The cost of the whole time. */
  readonly cost: Cost;
  /** Statements that added ledger rows. */
  readonly flushes: number;
  readonly rows: number;
}

/**
 * Replays requests against replicas that gather ledger rows as the gateway does, and adds up the measured constants. The
 * requests cost the same on one replica or on many; the polls of idle replicas and the number of ledger statements are
 * what grows.
 */
export function simulate({
  constants,
  replicas,
  loads,
  seconds,
  restSeconds = 0,
}: SimulationOptions): Simulation {
  const rows = Array.from({ length: replicas }, (): LedgerArrival[] => []);
  const allSeconds = seconds + restSeconds;
  let cost = add(add(noCost, constants.base, allSeconds), constants.idle, replicas * allSeconds);
  for (const load of loads) {
    const kind = constants.kinds[load.kind];
    const count = Math.round(load.perSecond * seconds);
    cost = add(cost, kind, count);
    for (let index = 0; index < count; index += 1)
      for (const arrival of arrivalsOf(load, index, kind.ledgerRows)) rows[index % replicas]?.push(arrival);
  }
  const flushes = rows.flatMap((arrivals) =>
    shipRows(
      arrivals.sort((one, other) => one.atMs - other.atMs),
      (flush) => flushCost(constants, flush).cpuUs / 1000,
    ),
  );
  const ledger = flushes.reduce((sum, flush) => addService(sum, flushCost(constants, flush)), cost.postgres);
  return {
    cost: { ...cost, postgres: ledger },
    flushes: flushes.length,
    rows: flushes.reduce((sum, flush) => sum + flush.rows, 0),
  };
}

/** A row that a replica writes to its ledger. */
export interface LedgerArrival {
  readonly atMs: number;
  /** Rows of one group are added to the same sums. */
  readonly group: string;
}

/** One statement that adds rows. */
export interface Flush {
  readonly rows: number;
  readonly groups: number;
}

/** A request may write no row, one, or by chance one more: the measured number is an average. */
function arrivalsOf({ kind, perSecond, keys = 1 }: Load, index: number, ledgerRows: number): LedgerArrival[] {
  const count = Math.floor((index + 1) * ledgerRows + 1e-9) - Math.floor(index * ledgerRows + 1e-9);
  const arrival = { atMs: (1000 * index) / perSecond, group: `${kind} ${index % keys}` };
  return Array.from({ length: count }, () => arrival);
}

/**
 * The statements by which one replica ships its rows: it waits for more rows unless a whole batch is there.
 *
 * @param arrivals In the order of their time.
 * @param takesMs How long a statement takes.
 */
export function shipRows(
  arrivals: readonly LedgerArrival[],
  takesMs: (flush: Flush) => number = () => 0,
): Flush[] {
  const flushes: Flush[] = [];
  let first = 0;
  let nowMs = 0;
  while (first < arrivals.length) {
    nowMs = Math.max(nowMs, arrivals[first]?.atMs ?? 0);
    if (endOfBatch(arrivals, first, nowMs) - first < batchRowsMax) nowMs += gatherMs;
    const end = endOfBatch(arrivals, first, nowMs);
    const batch = arrivals.slice(first, end);
    const flush = { rows: batch.length, groups: new Set(batch.map(({ group }) => group)).size };
    flushes.push(flush);
    nowMs += takesMs(flush);
    first = end;
  }
  return flushes;
}

function endOfBatch(arrivals: readonly LedgerArrival[], first: number, nowMs: number): number {
  let end = first;
  while (end < arrivals.length && end - first < batchRowsMax && (arrivals[end]?.atMs ?? 0) <= nowMs) end += 1;
  return end;
}

export function flushCost(
  { flush, row, group }: Pick<CapacityConstants, "flush" | "row" | "group">,
  { rows, groups }: Flush,
): ServiceCost {
  return addService(addService(scaleService(row, rows), group, groups), flush);
}
