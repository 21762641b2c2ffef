/** Bounds how long one call keeps Redis from its other clients. */
const sizeMax = 64;

/** Sends many items in one call. The replies are in item order; undefined without replies. */
type SendBatch<Item, Reply> = (items: readonly Item[]) => Promise<readonly Reply[] | undefined>;

/** Collects the items of one event-loop turn and sends them together: under load, one call serves many requests. */
export class Batcher<Item, Reply> {
  readonly #sendBatch: SendBatch<Item, Reply>;
  #pending: QueuedItem<Item, Reply>[] = [];

  constructor(sendBatch: SendBatch<Item, Reply>) {
    this.#sendBatch = sendBatch;
  }

  /** Resolves with the reply to this item, or undefined if the call failed. Never rejects. */
  send(item: Item): Promise<Reply | undefined> {
    return new Promise((resolve) => {
      this.#pending.push({ item, resolve });
      if (this.#pending.length === 1) setImmediate(() => this.#sendPending());
    });
  }

  #sendPending(): void {
    const all = this.#pending;
    this.#pending = [];
    for (let start = 0; start < all.length; start += sizeMax)
      void this.#sendAndResolve(all.slice(start, start + sizeMax));
  }

  async #sendAndResolve(batch: readonly QueuedItem<Item, Reply>[]): Promise<void> {
    const replies = await this.#sendBatch(batch.map(({ item }) => item)).catch(() => undefined);
    for (const [index, { resolve }] of batch.entries()) resolve(replies?.[index]);
  }
}

interface QueuedItem<Item, Reply> {
  readonly item: Item;
  readonly resolve: (reply: Reply | undefined) => void;
}
