import type { Transaction } from "kysely";
import type { DeliveryStore, NewDelivery, StoredDelivery } from "../../webhooks/delivery-store.js";
import type { QueueState } from "../../work/leased-work.js";
import type { Database } from "../database/open-database.js";
import type { Tables } from "../database/schema/tables.js";
import { anySite, LeasedTable, newLease } from "../work/leased-table.js";

/** Deliveries, in a table that all replicas share. */
export class DatabaseDeliveryStore implements DeliveryStore {
  readonly #kysely: Database["kysely"];
  readonly #table: LeasedTable<Tables["webhook_deliveries"]>;

  constructor(database: Database, { now }: { readonly now: () => number }) {
    this.#kysely = database.kysely;
    this.#table = new LeasedTable(database, {
      table: "webhook_deliveries",
      turnBy: "webhook",
      // Any replica may deliver any event.
      sites: [anySite],
      now,
    });
  }

  async claim(holder: string): Promise<StoredDelivery | undefined> {
    const row = await this.#table.claim(holder);
    return row && toDelivery(row);
  }

  renew(ids: readonly string[], holder: string): Promise<void> {
    return this.#table.renew(ids, holder);
  }

  inspect(): Promise<QueueState> {
    return this.#table.inspect();
  }

  recover(): Promise<number> {
    return this.#table.recover();
  }

  /** See `LeasedTable`. */
  endLeases(): Promise<void> {
    return this.#table.endLeases();
  }

  async end(id: string, holder: string): Promise<void> {
    await this.#kysely
      .deleteFrom("webhook_deliveries")
      .where("id", "=", id)
      .where("holder", "=", holder)
      .execute();
  }

  delay(id: string, holder: string, until: number): Promise<void> {
    return this.#table.delay(id, holder, until);
  }
}

/** Adds deliveries in the transaction of the change that they report. */
export async function addDeliveries(
  transaction: Transaction<Tables>,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  await transaction
    .insertInto("webhook_deliveries")
    .values(deliveries.map(toRow))
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}

function toRow({ messageId, webhook, type, body, createdAt }: NewDelivery): Tables["webhook_deliveries"] {
  return {
    id: `${messageId}:${webhook}`,
    site: anySite,
    ...newLease(createdAt),
    webhook,
    message_id: messageId,
    type,
    body,
    created_at: createdAt,
  };
}

function toDelivery(row: Tables["webhook_deliveries"]): StoredDelivery {
  const { id, webhook, type, body, attempts } = row;
  return { id, messageId: row.message_id, webhook, type, body, createdAt: row.created_at, attempts };
}
