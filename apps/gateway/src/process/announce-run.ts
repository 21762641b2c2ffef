import { writeRunFile } from "@model-gateway/data-folder/run-file";
import type { Logger } from "pino";

interface AnnouncedRun {
  readonly dataDir: string;
  readonly url: string;
  readonly version: string;
  readonly localSecret: string;
  readonly log: Logger;
}

/**
 * Leaves the address and the secret of this run in the data folder, for the commands on this machine, until the process
 * exits. Callers do not need it, so a disk that is full or read-only does not stop the start.
 */
export function announceRun({ dataDir, url, version, localSecret, log }: AnnouncedRun): void {
  try {
    const written = writeRunFile(dataDir, {
      url: reachable(url),
      pid: process.pid,
      version,
      startedAt: new Date().toISOString(),
      secret: localSecret,
    });
    process.on("exit", () => written.remove());
  } catch (failure) {
    log.warn(
      { err: failure },
      "run.json cannot be written. Commands on this machine need --url and the admin key.",
    );
  }
}

/** A listener on all addresses is reached at that of this machine. */
function reachable(url: string): string {
  return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}
