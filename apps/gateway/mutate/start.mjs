/** `npm run mutate -- sessions`: changes sources, one place at a time, and lists the changes that pass all unit tests. */
import "../check-node.mjs";
import { fileURLToPath } from "node:url";

const targets = process.argv.slice(2);
if (targets.length === 0) {
  console.error(
    "Name folders or files in apps/gateway/src, or a package: npm run mutate -- sessions files/file-sweep.ts packages/domain",
  );
  process.exit(1);
}

// Sources read files of other packages, so the copy that is changed is one of the whole repository.
process.chdir(fileURLToPath(new URL("../../../", import.meta.url)));
process.env.TEST_TIER = "short";
const { Stryker } = await import("@stryker-mutator/core");

const mutants = await new Stryker({
  mutate: [...targets.map(patternOf), "!**/*.test.ts", "!**/test/**"],
  // Messages and log lines may change freely, and what runs at import would need a process for each change.
  mutator: { excludedMutations: ["StringLiteral"] },
  ignorers: ["log-lines"],
  ignoreStatic: true,
  plugins: ["@stryker-mutator/vitest-runner", new URL("log-lines.mjs", import.meta.url).href].map((plugin) =>
    import.meta.resolve(plugin),
  ),
  testRunner: "vitest",
  vitest: { configFile: "apps/gateway/mutate/vitest.config.ts" },
  coverageAnalysis: "perTest",
  // After a run that ends at the first failure, the next one may run no test.
  disableBail: true,
  timeoutMS: 30_000,
  timeoutFactor: 4,
  disableTypeChecks: false,
  // Token tables are built, and tests of texts read them.
  ignorePatterns: ["dist", "!packages/tokens/dist/vocabularies/*.bin", ".turbo", "/data"],
  tempDirName: ".mutate",
  reporters: ["clear-text", "html", "progress-append-only"],
  clearTextReporter: { logTests: false, reportTests: false },
  htmlReporter: { fileName: ".mutate/report.html" },
}).runMutationTest();

const unmeasured = mutants.filter(
  ({ status, testsCompleted }) => status === "Survived" && testsCompleted === 0,
);
if (unmeasured.length > 0)
  console.warn(`No test ran against ${unmeasured.length} of the survivors. Run their files again.`);

/** @param {string} target A folder, a file, or lines of one: `sessions/sessions.ts:60-80`, `packages/domain`. */
function patternOf(target) {
  const [, folder, rest = ""] = /^(packages\/[\w-]+)(?:\/src)?(\/.+)?$/.exec(target) ?? [];
  const path = folder === undefined ? `apps/gateway/src/${target}` : `${folder}/src${rest}`;
  return `${path}${/\.ts(:|$)/.test(target) ? "" : "/**/*.ts"}`;
}
