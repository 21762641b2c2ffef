/** Loaded before a gateway: it is killed when a job reads its input image. */
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const { open } = promises;
promises.open = (path, flags, ...rest) => {
  if (flags === undefined && /\/files\/job-[0-9a-f]+-0$/.test(String(path)))
    process.kill(process.pid, "SIGKILL");
  return open(path, flags, ...rest);
};
syncBuiltinESMExports();
