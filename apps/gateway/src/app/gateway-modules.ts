import { batches } from "./modules/batches.js";
import { comparisons } from "./modules/comparisons.js";
import { configuration, trials } from "./modules/configuration.js";
import { core } from "./modules/core.js";
import { discovery } from "./modules/discovery.js";
import { history } from "./modules/history.js";
import { jobs } from "./modules/jobs.js";
import { retention } from "./modules/ledger.js";
import { metrics } from "./modules/metrics.js";
import type { ServicesOf } from "./modules/module-list.js";
import { readiness } from "./modules/readiness.js";
import { shadow } from "./modules/shadow.js";
import { spaces } from "./modules/spaces.js";

/**
 * All services that last as long as the process, in the order in which they open. They close in reverse. Those that
 * most others need are in `modules/foundation.ts` and `modules/core.ts`.
 */
export const gatewayModules = core
  .with(retention)
  .with(history)
  .with(discovery)
  .with(spaces)
  .with(comparisons)
  .with(shadow)
  .with(batches)
  .with(jobs)
  .with(configuration)
  .with(trials)
  .with(readiness)
  .with(metrics);

/** All that modules give, for the pipeline. */
export interface Services extends ServicesOf<typeof gatewayModules> {}
