import type { BenchRequest, WorkloadCase } from "../workloads/workload.js";
import type { RawResponse } from "./connection.js";
import type { LoadReport } from "./load-job.js";

/** The responses of a window. Status and length are checked at once; samples are verified after the window. */
export class WindowLog {
  readonly #workloadCase: WorkloadCase;
  readonly #samplesMax: number;
  readonly #latencies: number[] = [];
  readonly #samples: { request: BenchRequest; body: readonly Buffer[] }[] = [];
  readonly #faults: Record<string, number> = {};

  constructor(workloadCase: WorkloadCase, { samplesMax }: { samplesMax: number }) {
    this.#workloadCase = workloadCase;
    this.#samplesMax = samplesMax;
  }

  get requests(): number {
    return this.#latencies.length;
  }

  /** Whether to keep the next response: the first of a window, then every hundredth. */
  get wantsSample(): boolean {
    const kept = this.#samples.length;
    return kept < this.#samplesMax && (kept === 0 || this.#latencies.length % 100 === 99);
  }

  add(request: BenchRequest, { status, bodyBytes, body }: RawResponse, ms: number): void {
    this.#latencies.push(ms);
    if (status !== 200) this.#addFault(`status ${status}`);
    else if (bodyBytes < this.#workloadCase.responseBytesMin)
      this.#addFault(`a body of only ${bodyBytes} bytes`);
    if (body.length > 0) this.#samples.push({ request, body });
  }

  report(): Pick<LoadReport, "requests" | "p50Ms" | "p99Ms" | "faults" | "verified"> {
    for (const { request, body } of this.#samples) {
      const fault = findFault(request, body);
      if (fault !== undefined) this.#addFault(fault);
    }
    const sorted = Float64Array.from(this.#latencies).sort();
    return {
      requests: sorted.length,
      p50Ms: quantile(sorted, 0.5),
      p99Ms: quantile(sorted, 0.99),
      faults: this.#faults,
      verified: this.#samples.length,
    };
  }

  #addFault(fault: string): void {
    this.#faults[fault] = (this.#faults[fault] ?? 0) + 1;
  }
}

function findFault(request: BenchRequest, body: readonly Buffer[]): string | undefined {
  try {
    const text = Buffer.concat(body).toString();
    return request.findFault(request.isStream === true ? readEvents(text) : JSON.parse(text));
  } catch (failure) {
    return `an unreadable response: ${failure instanceof Error ? failure.name : failure}`;
  }
}

function readEvents(text: string): unknown[] {
  const lines = text.split("\n").filter((line) => line.startsWith("data: "));
  return lines.map((line) => JSON.parse(line.slice("data: ".length)));
}

/** The value below which this share of the sorted values lies. */
function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
