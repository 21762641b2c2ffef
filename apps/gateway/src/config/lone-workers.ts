import type { Fault } from "./load-config.js";

interface Shared {
  readonly workers: number;
  readonly databaseUrl?: string | undefined;
  readonly redisUrl?: string | undefined;
}

/** Workers that share nothing would each count for themselves: keys, limits and budgets would not hold. */
export function loneWorkers(file: Shared | undefined): Fault[] {
  if (file === undefined || file.workers === 1) return [];
  const missing = (["databaseUrl", "redisUrl"] as const).filter((key) => file[key] === undefined);
  if (missing.length === 0) return [];
  return [
    {
      path: ["workers"],
      message: `more than one need ${missing.join(" and ")}, so that limits and budgets hold for all`,
    },
  ];
}
