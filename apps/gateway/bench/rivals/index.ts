import { gateway, otherGateway } from "./gateway.js";
import { findNginx } from "./nginx.js";
import { bareAnswer, bareProxy, dispatchProxy } from "./node-proxies.js";
import { findPortkey } from "./portkey.js";
import type { AbsentRival, Rival } from "./rival.js";

export interface ChosenRivals {
  readonly rivals: readonly Rival[];
  readonly absent: readonly AbsentRival[];
}

export interface RivalChoice {
  /**
   * The rivals to use. Without it, all but `bare dispatch` and `bare answer`, which are upper bounds for work on a
   * single detail.
   */
  readonly names?: readonly string[] | undefined;
  /** Another checkout of this repository, whose gateway takes part too. */
  readonly other?: string | undefined;
  /** Where rivals are installed, and found by the next run. */
  readonly cacheFolder: string;
}

/** Finds the rivals of a run. */
export function chooseRivals({ names, other, cacheFolder }: RivalChoice): ChosenRivals {
  const isChosen = (name: string) => name === "other" || (names?.includes(name) ?? true);
  const found = [
    gateway,
    ...(other === undefined ? [] : [otherGateway(other)]),
    bareProxy,
    ...(names === undefined ? [] : [dispatchProxy, bareAnswer]),
    // It is installed when it is looked for.
    ...(isChosen("Portkey") ? [findPortkey(cacheFolder)] : []),
    findNginx(),
  ].filter(({ name }) => isChosen(name));
  return {
    rivals: found.filter((one): one is Rival => "start" in one),
    absent: found.filter((one): one is AbsentRival => "reason" in one),
  };
}
