import { setTimeout } from "node:timers/promises";
import type { Config } from "@model-gateway/config/config";
import { fileVersion, watchFiles } from "@model-gateway/config/files/file-version";
import type { Fetch } from "@model-gateway/config/references/fetched-secrets";
import { createReloader, type Reload } from "@model-gateway/config/reload";
import { every } from "@model-gateway/runtime/every";
import type { Logger } from "pino";

const watchEveryMs = 1000;

/** Reads the configuration again, from this file or from the built-in text. */
export type LoadConfig = (path: string | undefined) => Promise<Config>;

/** Reads the secrets of stores again, which the file at this path refers to. */
export type FetchSecrets = (path: string | undefined) => Promise<Fetch>;

interface ReloadOptions {
  readonly load: LoadConfig;
  readonly fetchSecrets: FetchSecrets;
  readonly apply: (wanted: Config) => Promise<void>;
  readonly onRefused: (faults: readonly string[]) => void;
  readonly log: Logger;
}

/** Applies another configuration on SIGHUP, when a file of it has changed, and when the returned function is called. */
export function reloadOnChange(loaded: Config, options: ReloadOptions): Reload {
  const { load, fetchSecrets, apply, onRefused, log } = options;
  let { file, files } = loaded;
  const reloads = new LatestReload(
    createReloader({
      // The path is passed on, so that a missing file is a fault and not replaced by the default.
      load: () => load(file),
      apply,
      onApplied: (applied) => {
        ({ file, files } = applied);
        for (const warning of applied.warnings) log.warn(warning);
        log.info({ models: [...applied.models.keys()] }, "The configuration was reloaded.");
      },
      onRefused: (faults) => {
        log.error({ faults }, "The new configuration was refused. The old one stays in use.");
        onRefused(faults);
      },
    }),
  );
  const { reload } = reloads;
  process.on("SIGHUP", () => void reload());
  const onFileChange = async () => {
    // The change may be what a reload is reading already.
    const faults = await reloads.running;
    if (faults?.length === 0 && isCurrent(files)) return;
    await reload();
  };
  // The built-in configuration has no file yet: the first change of it creates one.
  void watchFiles({
    files: () => files,
    wait: () => setTimeout(watchEveryMs, undefined, { ref: false }),
    onChange: () => void onFileChange(),
  });
  watchSecrets(loaded, { fetch: () => fetchSecrets(file), reload, log });
  return reload;
}

/** Reloads, and keeps the one that was begun last until it has ended. */
class LatestReload {
  readonly #reload: Reload;
  running: Promise<readonly string[]> | undefined;

  constructor(reload: Reload) {
    this.#reload = reload;
  }

  readonly reload: Reload = async () => {
    const started = this.#reload();
    this.running = started;
    try {
      return await started;
    } finally {
      if (this.running === started) this.running = undefined;
    }
  };
}

interface SecretsWatch {
  readonly fetch: () => Promise<Fetch>;
  readonly reload: Reload;
  readonly log: Logger;
}

/** Reads the secrets of stores again and again, and reloads when one has changed. */
function watchSecrets({ secretsEveryMs }: Config, { fetch, reload, log }: SecretsWatch): void {
  const run = async () => {
    const { hasChanged, failures } = await fetch();
    for (const [name, reason] of failures)
      log.warn({ secret: name, reason }, "A secret could not be read again. Its last value stays in use.");
    if (hasChanged) await reload();
  };
  every(secretsEveryMs, run, { task: "read secrets" });
}

/** Whether the files are still as they were read. */
function isCurrent(files: Config["files"]): boolean {
  return [...files].every(([file, version]) => fileVersion(file) === version);
}
