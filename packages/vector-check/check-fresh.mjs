/**
 * Fails if wasm/vector-check.wasm is not the output of `npm run build:wasm`. The compiler is large and only needed when
 * assembly/ changes, so it is not a dependency: npx fetches it.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = import.meta.dirname;
const folder = mkdtempSync(join(tmpdir(), "vector-check-"));
try {
  const compiled = join(folder, "vector-check.wasm");
  execFileSync("npm", ["run", "--silent", "build:wasm", "--", "--outFile", compiled], {
    cwd: root,
    stdio: "inherit",
  });
  if (!readFileSync(compiled).equals(readFileSync(join(root, "wasm/vector-check.wasm")))) {
    console.error(
      "packages/vector-check/wasm is not fresh; run 'npm run build:wasm' in packages/vector-check and commit it.",
    );
    process.exitCode = 1;
  } else console.log("The WebAssembly of vector-check is fresh.");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
