/** Loaded before a gateway: it is killed when the new configuration file is complete, and not in its place yet. */
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const { rename } = promises;
promises.rename = (from, to) => {
  if (String(to).endsWith("/gateway.yaml")) process.kill(process.pid, "SIGKILL");
  return rename(from, to);
};
syncBuiltinESMExports();
