import { performance } from "node:perf_hooks";
import type { Config } from "@model-gateway/config/config";
import { every, type Repetition } from "@model-gateway/runtime/every";
import { withTimeout } from "@model-gateway/runtime/with-timeout";
import type { Logger } from "pino";
import type { ReadMetrics } from "../../telemetry/metrics/metric.js";
import type { ConfigChange, Module, OpenModule } from "./module.js";

/** The share of the time for closing in which work without a caller may end. The storage needs the rest. */
const drainShare = 0.5;
/** The share of the time that is left which one module may take to close. */
const closeShare = 0.2;
/** Less than this keeps a module from closing at all. The process itself exits in time. */
const closeMsMin = 500;

type Hooks = Omit<OpenModule<object, keyof Config>, "services" | "sweeps">;

interface Opened extends Hooks {
  readonly name: string;
  readonly sweeping: readonly Repetition[];
}

/** The modules that are open. One that fails does not keep the others from their turn. */
export class OpenModules {
  readonly #log: Pick<Logger, "error" | "warn">;
  readonly #opened: Opened[] = [];

  constructor(log: Pick<Logger, "error" | "warn">) {
    this.#log = log;
  }

  async open<Needs extends object, Given extends object>(
    module: Module<Needs, Given, keyof Config, keyof Config>,
    needs: Needs,
    config: Config,
  ): Promise<Given> {
    const { services, sweeps = [], ...hooks } = await module.open(needs, config);
    const sweeping = sweeps.map(({ everyMs, run, ...options }) => every(everyMs, run, options));
    this.#opened.push({ name: module.name, sweeping, ...hooks });
    return services;
  }

  async start(): Promise<void> {
    for (const { start } of this.#opened) await start?.();
  }

  readonly readMetrics: ReadMetrics = () => this.#opened.flatMap(({ metrics }) => metrics?.() ?? []);

  adopt(change: ConfigChange): void {
    for (const one of this.#opened)
      this.#attempt(one, "A service did not take over the configuration.", () => one.adopt?.(change));
  }

  beginStop(): void {
    for (const one of this.#opened)
      this.#attempt(one, "A service did not begin to stop.", () => one.beginStop?.());
  }

  endStreams(): void {
    for (const one of this.#opened)
      this.#attempt(one, "A service did not end its streams.", () => one.endStreams?.());
  }

  /** Drains all modules, and closes the last one first. */
  async close(withinMs: number): Promise<void> {
    const endAt = performance.now() + withinMs;
    const modules = this.#opened.toReversed();
    const drained = modules.map((one) =>
      this.#settle(one, "The work of a service failed at the stop.", () => one.drain?.()),
    );
    await withTimeout(Promise.all(drained), withinMs * drainShare, () => undefined);
    for (const one of modules) {
      const closed = this.#settle(one, "A service could not be closed.", async () => {
        await Promise.all(one.sweeping.map((sweep) => sweep.stop()));
        await one.close?.();
      });
      const ms = Math.max(closeMsMin, (endAt - performance.now()) * closeShare);
      await withTimeout(closed, ms, () =>
        this.#log.warn(
          { module: one.name },
          "A service takes long to close. The others are closed meanwhile.",
        ),
      );
    }
  }

  async #settle({ name }: Opened, message: string, run: () => void | Promise<void>): Promise<void> {
    try {
      await run();
    } catch (failure) {
      this.#log.error({ err: failure, module: name }, message);
    }
  }

  #attempt({ name }: Opened, message: string, run: () => void): void {
    try {
      run();
    } catch (failure) {
      this.#log.error({ err: failure, module: name }, message);
    }
  }
}
