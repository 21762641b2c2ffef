import type { Reporter, SerializedError, TestModule } from "vitest/node";
import { writeTimes } from "./file-times.js";

/** Keeps each file's CPU time and whether it passed. */
export default class CpuReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const files = modules.map((module) => ({
      file: module.relativeModuleId,
      isPassed: module.ok(),
      cpuMs: Math.round(module.meta().cpuMs ?? 0),
      clockMs: Math.round(module.diagnostic().duration),
      tests: [...module.children.allTests()].length,
    }));
    // An error outside every test belongs to no file.
    const errors = unhandledErrors.map(() => ({
      file: "",
      isPassed: false,
      cpuMs: 0,
      clockMs: 0,
      tests: 0,
    }));
    writeTimes([...files, ...errors]);
  }
}
