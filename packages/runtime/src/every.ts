interface EveryOptions {
  /** Its name in the metrics. */
  readonly task: string;
  /** Called with what a run threw. The next one comes all the same. Without it, a failure is a fault of the program. */
  readonly onFailure?: (failure: unknown) => void;
  /** Whether it runs at once as well. */
  readonly isImmediate?: boolean;
  /** Whether the process goes on for its sake. */
  readonly keepsAlive?: boolean;
}

export interface Repetition {
  /** Begins no more runs, and resolves when the one that is under way has ended. */
  stop(): Promise<void>;
}

/** How often a task has run in this process, and how long it took. */
export interface TaskTally {
  runs: number;
  failures: number;
  seconds: number;
}

/** By the name of the task. A process has a few dozen. */
const tallies = new Map<string, TaskTally>();

/** The runs in the background of this process, by task. */
export function taskTallies(): ReadonlyMap<string, Readonly<TaskTally>> {
  return tallies;
}

/** A task of many processes shall not run in all of them at the same moment: each has its own period. */
const spread = 0.1;

/**
 * Runs a task again and again, up to a tenth more often than the period says. A run that takes longer than the period is
 * not joined by another one.
 */
export function every(periodMs: number, run: () => unknown, options: EveryOptions): Repetition {
  const tally = tallyOf(options.task);
  let running: Promise<void> | undefined;
  const begin = () => {
    if (running !== undefined) return;
    const end = beginRun(tally, options.onFailure);
    try {
      const result = run();
      if (!(result instanceof Promise)) return end();
      running = result
        .then(() => end(), end)
        .finally(() => {
          running = undefined;
        });
    } catch (failure) {
      end(failure);
    }
  };
  const timer = setInterval(begin, periodMs * (1 - spread * Math.random()));
  if (options.keepsAlive !== true) timer.unref();
  if (options.isImmediate === true) begin();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

function tallyOf(task: string): TaskTally {
  const tally = tallies.get(task) ?? { runs: 0, failures: 0, seconds: 0 };
  tallies.set(task, tally);
  return tally;
}

/** Returns what is to be called at the end of the run, with its failure if there is one. */
function beginRun(tally: TaskTally, onFailure: EveryOptions["onFailure"]): (...failure: unknown[]) => void {
  const startedAt = performance.now();
  return (...failure) => {
    tally.runs += 1;
    tally.seconds += (performance.now() - startedAt) / 1000;
    if (failure.length === 0) return;
    tally.failures += 1;
    if (onFailure === undefined) throw failure[0];
    onFailure(failure[0]);
  };
}
