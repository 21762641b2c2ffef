import type { Reporter, TestModule } from "vitest/node";

/** Lists, after a run, the tests that passed only at a later try, with why they failed before. */
export default class UnsteadyTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests("passed")]);
    const unsteady = tests.filter((test) => test.diagnostic()?.flaky);
    if (unsteady.length === 0) return;
    console.warn(`Passed only at a later try, and to be mended (${unsteady.length}):`);
    for (const test of unsteady) {
      console.warn(`  ${test.module.relativeModuleId} > ${test.fullName}`);
      for (const error of test.result().errors ?? []) console.warn(`    ${error.message}`);
    }
  }
}
