import { readThreadTimes } from "../load/resource-usage.js";
import { ask } from "../processes.js";
import { benchKey, gateway } from "../rivals/gateway.js";
import type { ProbeCommand } from "../rivals/gateway-probe.js";
import { type Contender, withRivals } from "../rivals/rival.js";
import { bareProxy } from "../rivals/rivals.js";
import { smallEmbedding } from "../workloads/embeddings.js";
import type { Window } from "./plan.js";
import { type CpuProfile, divideTime, type RequestTime, sharesOf } from "./shares.js";
import { openSourceFiles } from "./source-files.js";
import type { Testbed } from "./testbed.js";

const rounds = 3;
/** V8 needs seconds to compile a program. */
const warmUp: Window = { ms: 6000, requestsMin: 15_000, msMax: 20_000 };
const measured: Window = { ms: 3000, requestsMin: 1, msMax: 20_000 };
const profiled: Window = { ms: 8000, requestsMin: 1, msMax: 20_000 };

/** Measures the gateway and the bare proxy under the smallest request, and then takes a CPU profile of the gateway. */
export async function takeProfile(
  testbed: Testbed,
): Promise<{ readonly profile: CpuProfile; readonly time: RequestTime }> {
  const sourceOf = await openSourceFiles();
  return withRivals([gateway, bareProxy], testbed, async (contenders) => {
    const [ours, bare] = contenders.map((contender) => new CpuMeter(testbed, contender));
    const child = contenders[0]?.child;
    if (ours === undefined || bare === undefined || child === undefined)
      throw new Error("The gateway was not started.");
    const askProbe = (command: ProbeCommand) => ask(child, command);
    for (const meter of [ours, bare]) await meter.load(warmUp);

    // The profiler takes CPU time as well. The windows before it measure the time without it.
    for (let round = 0; round < rounds; round += 1)
      for (const meter of [ours, bare]) await meter.measure(measured);
    const { ids } = (await askProbe("find SQLite threads")) as { ids: number[] };

    await askProbe("start profile");
    await ours.load(profiled);
    const { profile } = (await askProbe("stop profile")) as { profile: CpuProfile };
    const [all, main] = [ours.micros(), ours.micros(child.pid)];
    const sqlite = ids.reduce((sum, id) => sum + (ours.micros(id) ?? 0), 0);
    const threads =
      all === undefined || main === undefined ? undefined : { main, sqlite, others: all - main - sqlite };
    const time = divideTime(sharesOf(profile, sourceOf), threads);
    return { profile, time: { ...time, bareMicros: bare.micros() } };
  });
}

/** The CPU time of a process per request, of all threads together and of each. */
class CpuMeter {
  readonly #testbed: Testbed;
  readonly #contender: Contender;
  readonly #threads = new Map<number, number>();
  #requests = 0;

  constructor(testbed: Testbed, contender: Contender) {
    this.#testbed = testbed;
    this.#contender = contender;
  }

  async measure(window: Window): Promise<void> {
    const pid = this.#contender.child?.pid ?? 0;
    const before = readThreadTimes(pid);
    this.#requests += await this.load(window);
    for (const [id, ms] of readThreadTimes(pid))
      this.#threads.set(id, (this.#threads.get(id) ?? 0) + ms - (before.get(id) ?? 0));
  }

  /** Returns the number of requests. */
  async load({ ms, requestsMin, msMax }: Window): Promise<number> {
    const { requests, faults } = await this.#testbed.load({
      workload: smallEmbedding.name,
      label: "base64",
      port: this.#contender.port,
      headers: { authorization: `Bearer ${benchKey}` },
      concurrency: 32,
      windowMs: ms,
      windowMsMax: msMax,
      requestsMin,
      samplesMax: 16,
    });
    if (Object.keys(faults).length > 0)
      throw new Error(`${this.#contender.name} failed: ${Object.keys(faults).join("; ")}.`);
    return requests;
  }

  /** Of one thread, or of all. Undefined where the system does not provide it. */
  micros(thread?: number): number | undefined {
    if (this.#threads.size === 0) return undefined;
    const ms =
      thread === undefined
        ? [...this.#threads.values()].reduce((sum, one) => sum + one, 0)
        : this.#threads.get(thread);
    return ms === undefined ? undefined : (ms * 1000) / this.#requests;
  }
}
