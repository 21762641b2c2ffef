import { expect, test } from "vitest";
import { noCost, noServiceCost, type ServiceCost } from "./constants.js";
import { type LedgerArrival, type SimulationOptions, shipRows, simulate } from "./simulate.js";

const once = (cpuUs: number): ServiceCost => ({ roundTrips: 1, bytesIn: 10, bytesOut: 20, cpuUs });
const perRow = (cpuUs: number): ServiceCost => ({ ...noServiceCost, bytesIn: 100, cpuUs });
const request = { ...noCost, ledgerRows: 1 };
const kinds: SimulationOptions["constants"]["kinds"] = {
  embedding: request,
  missed: request,
  cached: request,
  limited: { ...request, redis: { roundTrips: 4, bytesIn: 400, bytesOut: 40, cpuUs: 100 } },
  together: request,
  link: request,
  idempotent: request,
  job: request,
  line: request,
  list: { ...noCost, postgres: once(500), ledgerRows: 0 },
  newKey: request,
};
const constants: SimulationOptions["constants"] = {
  base: { ...noCost, redis: { ...noServiceCost, cpuUs: 50 } },
  idle: { ...noCost, postgres: { roundTrips: 7, bytesIn: 70, bytesOut: 700, cpuUs: 900 } },
  flush: once(1000),
  row: perRow(100),
  group: { ...noServiceCost, cpuUs: 300 },
  kinds,
};

test("replicas without requests cost their polls, beside what the services cost anyway", () => {
  const { cost } = simulate({ constants, replicas: 10, loads: [], seconds: 3, restSeconds: 1 });

  expect(cost).toEqual({
    ...noCost,
    postgres: { roundTrips: 280, bytesIn: 2800, bytesOut: 28_000, cpuUs: 36_000 },
    redis: { ...noServiceCost, cpuUs: 200 },
  });
});

test("a request costs its own round trips, its row, and a share of a statement", () => {
  const [base, idle] = [noCost, noCost];
  const loads = [{ kind: "limited", perSecond: 10 }] as const;

  const { cost, flushes, rows } = simulate({
    constants: { ...constants, base, idle },
    replicas: 1,
    loads,
    seconds: 1,
  });

  // The first row waits for half a second; the others arrive meanwhile, or in the half second after.
  expect({ flushes, rows }).toEqual({ flushes: 2, rows: 10 });
  expect(cost).toEqual({
    postgres: { roundTrips: 2, bytesIn: 20 + 1000, bytesOut: 40, cpuUs: 2 * (1000 + 300) + 10 * 100 },
    redis: { roundTrips: 40, bytesIn: 4000, bytesOut: 400, cpuUs: 1000 },
    bucket: noServiceCost,
  });
});

test("the same load on more replicas is more statements for the same rows", () => {
  const flushesOf = (replicas: number) => {
    const loads = [{ kind: "embedding", perSecond: 200 }] as const;
    const { flushes, rows } = simulate({ constants, replicas, loads, seconds: 10 });
    return { flushes, rows };
  };

  expect([1, 10, 100].map(flushesOf)).toEqual([
    { flushes: 20, rows: 2000 },
    { flushes: 190, rows: 2000 },
    { flushes: 1000, rows: 2000 },
  ]);
});

test("each key of a statement costs a row of the sums", () => {
  const costOf = (keys: number) => {
    const loads = [{ kind: "embedding", perSecond: 100, keys }] as const;
    return simulate({ constants: { ...constants, idle: noCost }, replicas: 1, loads, seconds: 0.5 }).cost;
  };

  expect(costOf(50).postgres.cpuUs - costOf(1).postgres.cpuUs).toBe(49 * 300);
});

test("a request without a ledger row adds no statement, and one with a tenth adds one in ten rows", () => {
  const rare = { ...constants, kinds: { ...kinds, job: { ...request, ledgerRows: 0.1 } } };
  const run = (kind: "list" | "job") =>
    simulate({ constants: rare, replicas: 1, loads: [{ kind, perSecond: 10 }], seconds: 10 });

  expect(run("list")).toMatchObject({ flushes: 0, rows: 0 });
  expect(run("job")).toMatchObject({ flushes: 10, rows: 10 });
});

test("rows wait for half a second, unless a whole batch is there", () => {
  expect(shipRows(rowsAt(0, 499, 500, 501, 2000))).toEqual([flushOf(3), flushOf(1), flushOf(1)]);
  expect(shipRows(rowsAt(...Array<number>(1200).fill(0)))).toEqual([
    flushOf(500),
    flushOf(500),
    flushOf(200),
  ]);
});

test("rows that arrive during a statement are in the next one", () => {
  const arrivals = rowsAt(0, 600, 700);

  expect(shipRows(arrivals, () => 150)).toEqual([flushOf(1), flushOf(2)]);
});

function rowsAt(...times: readonly number[]): LedgerArrival[] {
  return times.map((atMs) => ({ atMs, group: "one" }));
}

function flushOf(rows: number) {
  return { rows, groups: 1 };
}
