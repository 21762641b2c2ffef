import type { BaseServices } from "./base.js";
import { dataFolder } from "./data-folder.js";
import { entrance } from "./entrance.js";
import { events } from "./events.js";
import { ModuleList, type ServicesOf } from "./module-list.js";
import { providers } from "./providers.js";
import { requestRules } from "./request-rules.js";
import { bucket, redis, storage } from "./storage.js";
import { tracing } from "./tracing.js";

/** Settings that the process itself uses, once. */
const processSettings = ["host", "port", "workers", "logLevel", "onStall", "secretsEveryMs"] as const;

/** The first modules: the process, its data and its tools. */
export const foundation = ModuleList.of<BaseServices>(processSettings)
  .with(tracing)
  .with(entrance)
  .with(redis)
  .with(dataFolder)
  // The database opens in other threads or on a server.
  .withBoth(storage, requestRules)
  .with(bucket)
  .with(providers)
  .with(events);

export interface Foundation extends ServicesOf<typeof foundation> {}
