import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** All temporary files of a run are in one folder, which goes with it, whatever a failed or killed test has left. */
export default function setUp(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "gateway-tests-"));
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
