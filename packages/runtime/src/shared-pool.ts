/**
 * A bounded amount that keys share: places, bytes. A key may hold as much as is free before it takes: one key alone stops
 * at half, and something is left for a key that holds nothing.
 */
export class SharedPool {
  readonly max: number;
  readonly #held = new Map<string, number>();
  #used = 0;

  constructor(max: number) {
    this.max = max;
  }

  get used(): number {
    return this.#used;
  }

  heldBy(key: string): number {
    return this.#held.get(key) ?? 0;
  }

  /** Takes the amount for a key, or nothing if it is above the key's share. */
  take(key: string, amount: number): boolean {
    if (amount > shareLeft({ max: this.max, used: this.#used, held: this.heldBy(key) })) return false;
    this.add(key, amount);
    return true;
  }

  /** Counts an amount that the key has in any case. */
  add(key: string, amount: number): void {
    if (amount === 0) return;
    this.#used += amount;
    this.#held.set(key, this.heldBy(key) + amount);
  }

  /** A key that holds nothing is forgotten. */
  giveBack(key: string, amount: number): void {
    const held = this.heldBy(key) - amount;
    this.#used -= amount;
    if (held > 0) this.#held.set(key, held);
    else this.#held.delete(key);
  }
}

/** How much more a key may take of an amount that is counted elsewhere, such as in a database. */
export function shareLeft({ max, used, held }: { max: number; used: number; held: number }): number {
  return Math.max(0, max - used - held);
}
