import { OwnerQueue } from "./owner-queue.js";

/** The urgency of a call: texts of `interactive` calls are embedded before those of `bulk` calls. */
export type EmbeddingPriority = "interactive" | "bulk";

/** After this many interactive texts that bulk texts waited for, one of these goes first: they are never left for good. */
const passesMax = 16;

/** The texts of one call. */
export interface QueuedTexts<Call, Item> {
  readonly call: Call;
  readonly items: readonly Item[];
}

/** Whose texts they are. */
export interface TextOwner {
  readonly owner: string;
  readonly priority: EmbeddingPriority;
}

/** The texts that wait for a worker: a fair queue for each priority. */
export class TextQueue<Call, Item> {
  readonly #queues = {
    interactive: new OwnerQueue<Call, Item>(),
    bulk: new OwnerQueue<Call, Item>(),
  } as const;
  readonly #max: number;
  readonly #bulkMax: number;
  #passes = 0;

  /** @param max The most items that wait. Bulk ones may be three quarters of them, and one owner has a share. */
  constructor(max: number) {
    this.#max = max;
    this.#bulkMax = Math.floor(max * 0.75);
  }

  /**
   * Whether so many more items of an owner may wait. It may hold as much as is free before: alone it stops at half, and
   * something is left for an owner that holds nothing.
   */
  hasRoom(count: number, { owner, priority }: TextOwner): boolean {
    const { interactive, bulk } = this.#queues;
    if (priority === "bulk" && bulk.size + count > this.#bulkMax) return false;
    const held = interactive.sizeOf(owner) + bulk.sizeOf(owner);
    return interactive.size + bulk.size + held + count <= this.#max;
  }

  /** Adds the items of a call in their order. A call may be added once. */
  add({ call, items }: QueuedTexts<Call, Item>, { owner, priority }: TextOwner): void {
    this.#queues[priority].add(owner, call, items);
  }

  take(): Item | undefined {
    const { interactive, bulk } = this.#queues;
    const isOverdue = bulk.size > 0 && this.#passes >= passesMax;
    const next = isOverdue ? undefined : interactive.take();
    if (next === undefined) {
      this.#passes = 0;
      return bulk.take();
    }
    if (bulk.size > 0) this.#passes += 1;
    return next;
  }

  remove(call: Call, { owner, priority }: TextOwner): void {
    this.#queues[priority].remove(owner, call);
  }
}
