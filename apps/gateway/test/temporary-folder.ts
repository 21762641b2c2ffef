import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const prefix = "gateway-tests-";

/**
 * All temporary files of a run are in one folder, which goes with it, including leftovers of a failed or killed test.
 * Each project calls this. The first creates the folder: one inside another gives paths that are too long for a socket.
 */
export default function setUp(): (() => void) | undefined {
  if (basename(tmpdir()).startsWith(prefix)) return undefined;
  const folder = mkdtempSync(join(tmpdir(), prefix));
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
