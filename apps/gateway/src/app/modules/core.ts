import { cache } from "./cache.js";
import { files } from "./files.js";
import { foundation } from "./foundation.js";
import { images } from "./images.js";
import { keys } from "./keys.js";
import { ledger } from "./ledger.js";
import type { ServicesOf } from "./module-list.js";
import { scheduling } from "./scheduling.js";
import { sessions } from "./sessions.js";
import { usage } from "./usage.js";
import { webhooks } from "./webhooks.js";

/** The next modules: services that requests use. */
export const core = foundation
  .with(webhooks)
  .with(scheduling)
  .with(keys)
  .with(sessions)
  .with(ledger)
  .with(usage)
  .with(images)
  .with(files)
  .with(cache);

export interface Core extends ServicesOf<typeof core> {}
