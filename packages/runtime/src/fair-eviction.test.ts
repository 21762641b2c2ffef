import fc from "fast-check";
import { expect, test } from "vitest";
import { FairEviction } from "./fair-eviction.js";

/** A store that has only names. */
class Store {
  readonly #eviction: FairEviction;
  readonly entries = new Map<string, { readonly owner: string; readonly size: number }>();
  #count = 0;

  constructor(sizeMax: number) {
    this.#eviction = new FairEviction(sizeMax);
  }

  write(owner: string, size: number): string {
    const wanted = { owner, size };
    for (let name = this.#eviction.next(wanted); name !== undefined; name = this.#eviction.next(wanted)) {
      this.#eviction.delete(name);
      this.entries.delete(name);
    }
    this.#count += 1;
    const name = `${owner} ${this.#count}`;
    this.#eviction.add(name, { ...wanted, writtenAt: this.#count });
    this.entries.set(name, wanted);
    return name;
  }

  heldBy(owner: string): number {
    return [...this.entries.values()].reduce(
      (sum, entry) => sum + (entry.owner === owner ? entry.size : 0),
      0,
    );
  }
}

test("one key alone fills the store, and loses its oldest entries", () => {
  const store = new Store(10);

  const names = [4, 3, 3, 4].map((size) => store.write("a", size));

  expect([...store.entries.keys()]).toEqual(names.slice(1));
});

test("a modest key's entries stay while a greedy one writes ten times the store", () => {
  const store = new Store(100);
  const modest = [store.write("modest", 10), store.write("modest", 20)];

  for (let written = 0; written < 1000; written += 7) store.write("greedy", 7);
  const later = store.write("modest", 20);

  expect([...store.entries.keys()]).toEqual(expect.arrayContaining([...modest, later]));
  expect(store.heldBy("greedy")).toBe(49);
});

test("a key that comes late gets its part of a full store from the one that holds the most", () => {
  const store = new Store(100);
  for (let index = 0; index < 60; index += 1) store.write("greedy", 1);
  for (let index = 0; index < 40; index += 1) store.write("other", 1);

  for (let index = 0; index < 50; index += 1) store.write("late", 1);

  const held = ["greedy", "other", "late"].map((owner) => store.heldBy(owner));
  expect(held.sort()).toEqual([33, 33, 34]);
});

test("an entry that is written again is the newest, and counts once", () => {
  const eviction = new FairEviction(3);
  for (const name of ["first", "second"]) eviction.add(name, { owner: "a", size: 1, writtenAt: 1 });

  eviction.add("first", { owner: "a", size: 2, writtenAt: 2 });

  expect(eviction.next()).toBeUndefined();
  expect(eviction.next({ owner: "b", size: 1 })).toBe("second");
  expect([eviction.writtenBy(0), eviction.writtenBy(1)]).toEqual([undefined, "second"]);
});

test("whatever others write, a key keeps what fits in an equal part of the store", () => {
  const owners = ["a", "b", "c", "d"];
  const write = fc.record({
    owner: fc.constantFrom(...owners.slice(1)),
    size: fc.integer({ min: 1, max: 25 }),
  });
  fc.assert(
    fc.property(fc.array(write, { maxLength: 200 }), fc.integer({ min: 1, max: 25 }), (writes, size) => {
      const store = new Store(100);
      const kept = store.write("a", size);

      for (const { owner, size } of writes) {
        store.write(owner, size);
        const used = owners.reduce((sum, one) => sum + store.heldBy(one), 0);
        expect(used).toBeLessThanOrEqual(100);
      }

      expect(store.entries.has(kept)).toBe(true);
    }),
    { seed: 20261119 },
  );
});
