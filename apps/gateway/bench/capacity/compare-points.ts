import {
  type CapacityConstants,
  type MeasuredPoint,
  type ServiceCost,
  type ServiceName,
  serviceNames,
} from "./constants.js";
import { simulate } from "./simulate.js";

const deviationMax = 0.2;
/** Fewer than these in a whole point are not compared: a poll more or less would be a large share. */
const comparedMin: Readonly<ServiceCost> = { roundTrips: 20, bytesIn: 5000, bytesOut: 5000, cpuUs: 20_000 };

/** One figure of one service, measured and simulated, for a whole point. */
export interface Comparison {
  readonly service: ServiceName;
  readonly figure: keyof ServiceCost;
  readonly measured: number;
  readonly simulated: number;
  /** 0.1 is a simulation that is 10 % too high. */
  readonly deviation: number;
}

export function comparePoint(constants: CapacityConstants, point: MeasuredPoint): Comparison[] {
  const { cost } = simulate({ ...point, constants });
  const isUsed = (service: ServiceName) => point.measured[service].roundTrips >= comparedMin.roundTrips;
  return serviceNames.filter(isUsed).flatMap((service) =>
    (Object.keys(comparedMin) as (keyof ServiceCost)[]).flatMap((figure) => {
      const measured = point.measured[service][figure];
      const simulated = cost[service][figure];
      if (measured < comparedMin[figure]) return [];
      return [{ service, figure, measured, simulated, deviation: simulated / measured - 1 }];
    }),
  );
}

/**
 * Whether the simulation is off. CPU times are shown and not judged: other load on the machine changes them, and a server
 * that sleeps between two commands takes more for each.
 */
export function isOff({ figure, deviation }: Comparison): boolean {
  return figure !== "cpuUs" && Math.abs(deviation) > deviationMax;
}

/** The comparison with the largest deviation. */
export function worstOf(comparisons: readonly Comparison[]): Comparison | undefined {
  return [...comparisons].sort((one, other) => Math.abs(other.deviation) - Math.abs(one.deviation))[0];
}
