/**
 * Unique names: a wanted one as it is, or with a number at its end. It goes on from the last number of each, so
 * thousands of equal names take no longer than thousands of others.
 */
export class FreeNames {
  readonly #next = new Map<string, number>();

  /** @param isTaken Whether something has this name. */
  find(wanted: string, separator: string, isTaken: (name: string) => boolean): string {
    let number = this.#next.get(wanted) ?? 1;
    let name = wanted;
    for (; ; number += 1) {
      name = number === 1 ? wanted : `${wanted}${separator}${number}`;
      if (!isTaken(name)) break;
    }
    this.#next.set(wanted, number);
    return name;
  }
}
