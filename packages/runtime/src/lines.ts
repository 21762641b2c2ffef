/** Items that wait, in one line for each key. The lines take turns, however many items are in each. */
export class Lines<T> {
  /** In the order of their turns. None is empty. */
  readonly #lines = new Map<string, T[]>();

  get isEmpty(): boolean {
    return this.#lines.size === 0;
  }

  add(key: string, item: T): void {
    const line = this.#lines.get(key);
    if (line === undefined) this.#lines.set(key, [item]);
    else line.push(item);
  }

  /** The first item of the line whose turn it is. */
  take(): T | undefined {
    for (const [key, line] of this.#lines) {
      const item = line.shift();
      this.#lines.delete(key);
      if (line.length > 0) this.#lines.set(key, line);
      return item;
    }
    return undefined;
  }
}
