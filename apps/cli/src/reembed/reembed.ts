import { createHash } from "node:crypto";
import { join } from "node:path";
import { BatchApi } from "../batch/batch-api.js";
import { StateFile } from "../batch/state-file.js";
import type { CommandPlace } from "../check.js";
import type { CommandOf } from "../command-table.js";
import { createProgress, type Progress } from "../print/progress.js";
import type { Report, Terminal } from "../print/terminal.js";
import { CommandError } from "../remote/command-error.js";
import type { RemoteGateway } from "../remote/remote-gateway.js";
import { defaultPacing, type Pacing } from "../remote/retry.js";
import { recallOf } from "./compare.js";
import { type OpenStore, openStore } from "./open-store.js";
import { type ReembedTask, readTask } from "./read-options.js";
import { reportEstimate, reportRecall, reportRun } from "./report.js";
import { probeSpace, type ReembedRequest } from "./request.js";
import type { Store } from "./rows.js";
import type { FileLimits } from "./run/batch-file.js";
import { firstState, isReembedState, type ReembedState } from "./run/reembed-state.js";
import { runReembed } from "./run/run-reembed.js";

export interface ReembedPlace {
  readonly place: CommandPlace;
  readonly terminal: Terminal;
  readonly pacing?: Pacing;
  readonly limits?: FileLimits;
}

/** Embeds the texts of an index with another model: estimates it, does it, or compares the result. */
export async function reembed(
  command: CommandOf<"reembed">,
  gateway: RemoteGateway,
  { pacing = defaultPacing, ...place }: ReembedPlace,
): Promise<Report> {
  const task = readTask(command);
  const { terminal } = place;
  const { signal } = terminal;
  const { store, to } = await openStore(command, { place: place.place, task, pacing, signal });
  const opened = { to, store: interruptible(store, signal) };
  const progress = createProgress(terminal, command);
  try {
    return await doTask(task, { command, gateway, opened, progress, pacing, ...place });
  } finally {
    progress.end();
    await opened.store.close();
  }
}

/** Ends the reading of a source that needs no network, and would never notice. */
function interruptible(store: Store, signal: AbortSignal): Store {
  return {
    ...store,
    rows: async function* (from) {
      for await (const row of store.rows(from)) {
        if (signal.aborted) throw new CommandError("Interrupted.");
        yield row;
      }
    },
  };
}

interface Work extends ReembedPlace {
  readonly command: CommandOf<"reembed">;
  readonly gateway: RemoteGateway;
  readonly opened: OpenStore;
  readonly progress: Progress;
  readonly pacing: Pacing;
}

async function doTask(task: ReembedTask, work: Work): Promise<Report> {
  const { command, gateway, opened, progress, terminal } = work;
  const { store } = opened;
  switch (task.name) {
    case "estimate": {
      // Loaded on demand: a vocabulary has megabytes.
      const { estimate } = await import("./estimate.js");
      const found = await estimate({ gateway, source: store, request: requestOf(command), progress });
      return reportEstimate(found, { from: store.name, terminal });
    }
    case "run":
      return run(work);
    case "compare": {
      progress.show({ name: "Comparing" });
      return reportRecall(recallOf(await store.compare(task.queries)), { terminal });
    }
  }
}

function requestOf({
  model = "",
  dimensions,
  "input-type": inputType,
}: CommandOf<"reembed">): ReembedRequest {
  return { model, dimensions, inputType };
}

async function run(work: Work): Promise<Report> {
  const startedAt = performance.now();
  const { command, gateway, place } = work;
  const job = jobOf(command, gateway.url);
  const name = join(place.workingDirectory, `reembed-${job.slice(0, 12)}`);
  const file = new StateFile(`${name}.state`, isReembedState);
  const unlock = await file.lock();
  try {
    return await runLocked({ work, file, name, job, startedAt });
  } finally {
    unlock();
  }
}

interface LockedRun {
  readonly work: Work;
  readonly file: StateFile<ReembedState>;
  /** The start of the names of its files. */
  readonly name: string;
  readonly job: string;
  readonly startedAt: number;
}

async function runLocked({ work, file, name, job, startedAt }: LockedRun): Promise<Report> {
  const { command, gateway, opened, progress, terminal, pacing, limits } = work;
  const request = requestOf(command);
  const caller = gateway.asKey();
  const earlier = file.read();
  const state =
    earlier ?? firstState({ job, gateway: gateway.url, space: await probeSpace(caller, request) });
  if (earlier !== undefined)
    await checkEarlier(earlier, { job, check: () => probeSpace(caller, request, earlier.space) });
  const { signal } = terminal;
  const failuresPath = `${name}.failed.jsonl`;
  const result = await runReembed(state, {
    api: new BatchApi(caller, { pacing, signal }),
    caller,
    store: opened.store,
    request,
    file,
    failuresPath,
    progress,
    pacing,
    signal,
    ...(limits !== undefined && { limits }),
  });
  file.remove();
  return reportRun(result, {
    from: opened.store.name,
    to: opened.to,
    model: request.model,
    failuresPath,
    durationMs: performance.now() - startedAt,
    terminal,
  });
}

async function checkEarlier(
  earlier: ReembedState,
  { job, check }: { readonly job: string; readonly check: () => Promise<unknown> },
): Promise<void> {
  if (earlier.job !== job) throw new CommandError("The state file belongs to another command.");
  // The gateway refuses to add vectors of another space.
  await check();
}

/** The same options are the same job. Options of the output do not count. */
function jobOf(command: CommandOf<"reembed">, gateway: string): string {
  const { json: _json, force: _force, url: _url, config: _config, "admin-key-file": _file, ...job } = command;
  return createHash("sha256")
    .update(JSON.stringify([gateway, Object.entries(job).sort()]))
    .digest("hex");
}
