import { quantile } from "../measure/statistics.js";
import type { BenchRequest, Case } from "../workloads/workload.js";
import type { RawAnswer } from "./connection.js";
import type { LoadReport } from "./load.js";

/** What came back in a window. Status and length are looked at as answers come; samples when it is over. */
export class WindowLog {
  readonly #chosen: Case;
  readonly #samplesMax: number;
  readonly #latencies: number[] = [];
  readonly #samples: { request: BenchRequest; body: readonly Buffer[] }[] = [];
  readonly #faults: Record<string, number> = {};

  constructor(chosen: Case, { samplesMax }: { samplesMax: number }) {
    this.#chosen = chosen;
    this.#samplesMax = samplesMax;
  }

  get requests(): number {
    return this.#latencies.length;
  }

  /** Whether the next answer should be kept: the first of a window, and every so many after it. */
  get wantsSample(): boolean {
    const kept = this.#samples.length;
    return kept < this.#samplesMax && (kept === 0 || this.#latencies.length % 100 === 99);
  }

  add(request: BenchRequest, { status, bodyBytes, body }: RawAnswer, ms: number): void {
    this.#latencies.push(ms);
    if (status !== 200) this.#note(`status ${status}`);
    else if (bodyBytes < this.#chosen.answerBytesMin) this.#note(`${bodyBytes} bytes`);
    if (body.length > 0) this.#samples.push({ request, body });
  }

  report(): Pick<LoadReport, "requests" | "p50Ms" | "p99Ms" | "faults" | "verified"> {
    for (const { request, body } of this.#samples) {
      const fault = faultOf(request, body);
      if (fault !== undefined) this.#note(fault);
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

  #note(fault: string): void {
    this.#faults[fault] = (this.#faults[fault] ?? 0) + 1;
  }
}

function faultOf(request: BenchRequest, body: readonly Buffer[]): string | undefined {
  try {
    return request.fault(JSON.parse(Buffer.concat(body).toString()));
  } catch (failure) {
    return `an answer that cannot be read: ${failure instanceof Error ? failure.name : failure}`;
  }
}
