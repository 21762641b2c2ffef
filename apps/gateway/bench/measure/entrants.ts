import { stopProgram } from "../processes.js";
import type { Ground, Rival, Started } from "../rivals/rival.js";

/** Something that takes the load: a rival that runs, or the upstream itself. */
export interface Entrant {
  readonly name: string;
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly started?: Started;
  readonly isCompiled: boolean;
}

/** The upstream without anything between. */
export function direct({ upstreamPort }: Ground): Entrant {
  return { name: "direct", port: upstreamPort, headers: {}, isCompiled: true };
}

/** Starts rivals, lets them be used, and stops them whatever happens. */
export async function withEntrants<T>(
  rivals: readonly Rival[],
  ground: Ground,
  use: (entrants: readonly Entrant[]) => Promise<T>,
): Promise<T> {
  const entrants: Entrant[] = [];
  try {
    for (const rival of rivals) {
      const started = await rival.start(ground);
      entrants.push({
        name: rival.name,
        port: started.port,
        headers: rival.headers(ground),
        started,
        isCompiled: rival.isCompiled ?? false,
      });
    }
    return await use(entrants);
  } finally {
    await Promise.all(entrants.map(({ started }) => started && stopProgram(started.child)));
  }
}
