export interface WorkItem {
  readonly id: string;
  /** How often it was claimed, with this time. */
  readonly attempts: number;
}

/**
 * A queue of items that survive a crash. An item is claimed with a lease, which its holder renews while it works on it.
 * An item whose lease has ended is claimed again, by this process or by another one.
 */
export interface LeasedWork<Item extends WorkItem> {
  /** One cheap read, for idle processes: usually there is nothing to do. */
  inspect(): Promise<QueueState>;
  /**
   * Claims an item for the holder: of the key with the fewest running items, its first one. Undefined if there is none.
   * A key with many items cannot keep another key's from starting.
   */
  claim(holder: string): Promise<Item | undefined>;
  /** Extends the leases of items that the holder still has. */
  renew(ids: readonly string[], holder: string): Promise<void>;
  /** Puts items back into the queue whose lease or whose pause has ended. Returns how many. */
  recover(): Promise<number>;
}

/** Work that its holder can let rest. */
export interface PausableWork<Item extends WorkItem> extends LeasedWork<Item> {
  /** Lets the holder's item rest until a time. */
  delay(id: string, holder: string, until: number): Promise<void>;
  /** Lets an item rest that has not begun: this attempt does not count. */
  putBack(id: string, holder: string, until: number): Promise<void>;
}

export interface QueueState {
  /** Whether there is an item to claim. */
  readonly hasQueued: boolean;
  /** Whether there is an item to recover. */
  readonly hasAbandoned: boolean;
}

/** An item counts as abandoned when its lease was not renewed for this time. Clocks of replicas may differ by less. */
export const leaseMs = 30_000;
export const renewEveryMs = 10_000;
