import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly overrides?: Readonly<Record<string, string>>;
}

/** Installs packages in a folder outside the workspace. Returns false if npm cannot. */
export function installPackages(folder: string, manifest: Manifest): boolean {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, ...manifest }));
  const { status } = spawnSync(
    "npm",
    ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", "--loglevel=error"],
    { cwd: folder, stdio: ["ignore", "ignore", "inherit"] },
  );
  return status === 0;
}
