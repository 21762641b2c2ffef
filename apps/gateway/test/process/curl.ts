import { spawnSync } from "node:child_process";

/** Tests may rely on Node and npm only. If curl is missing, the run lists the skipped tests. */
export const curlIsMissing = spawnSync("curl", ["--version"]).status !== 0;

if (curlIsMissing) {
  if (process.env.CI === "true") throw new Error("There is no curl, and CI demands it.");
  console.warn("Left out, because there is no curl: the commands that people paste.");
}
