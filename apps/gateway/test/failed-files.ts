import { writeFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";

/** Writes the paths of files with a failed test to the file that `FAILED_FILES` names; see `run.mjs`. */
export default class FailedFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const list = process.env.FAILED_FILES;
    if (list === undefined) return;
    const failed = modules.filter((module) => !module.ok());
    writeFileSync(list, JSON.stringify(failed.map((module) => module.relativeModuleId)));
  }
}
