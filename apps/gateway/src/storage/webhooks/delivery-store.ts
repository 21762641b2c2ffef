import { sql, type Transaction } from "kysely";
import type {
  DeliveryStore,
  DroppedDelivery,
  NewDelivery,
  StoredDelivery,
} from "../../webhooks/delivery-store.js";
import type { Database } from "../database/open-database.js";
import type { Tables } from "../database/schema/tables.js";
import { anySite, LeasedTable, newLease } from "../work/leased-table.js";

/** Deliveries, in a table that all replicas share. */
export class DatabaseDeliveryStore
  extends LeasedTable<Tables["webhook_deliveries"], StoredDelivery>
  implements DeliveryStore
{
  readonly #kysely: Database["kysely"];

  constructor(database: Database, { now }: { readonly now: () => number }) {
    super(database, {
      table: "webhook_deliveries",
      turnBy: "webhook",
      // Any replica may deliver any event.
      sites: [anySite],
      toItem: toDelivery,
      now,
    });
    this.#kysely = database.kysely;
  }

  add(deliveries: readonly NewDelivery[]): Promise<readonly DroppedDelivery[]> {
    return this.#kysely.transaction().execute(async (transaction) => {
      await addDeliveries(transaction, deliveries);
      const dropped: DroppedDelivery[] = [];
      for (const delivery of deliveries) dropped.push(...(await dropOldest(transaction, delivery)));
      return dropped;
    });
  }

  async end(id: string, holder: string): Promise<void> {
    await this.#kysely
      .deleteFrom("webhook_deliveries")
      .where("id", "=", id)
      .where("holder", "=", holder)
      .execute();
  }
}

/** Drops events that have no room. One that is being sent stays. */
async function dropOldest(
  transaction: Transaction<Tables>,
  { webhook, type, waitingMax }: NewDelivery,
): Promise<readonly DroppedDelivery[]> {
  if (waitingMax === undefined) return [];
  const { rows } = await sql<DroppedDelivery>`delete from webhook_deliveries where id in (
      select id from webhook_deliveries
      where webhook = ${webhook} and type = ${type} and state in ('queued', 'delayed')
      order by position desc, id desc limit ${sql.lit(droppedAtOnce)} offset ${sql.lit(waitingMax)}
    ) returning webhook, type`.execute(transaction);
  return rows;
}

/** SQLite has no offset without a limit. */
const droppedAtOnce = 1000;

/** Adds deliveries in the transaction of the change that they report. */
export async function addDeliveries(
  transaction: Transaction<Tables>,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  const added: NewDelivery[] = [];
  for (const delivery of deliveries) if (await isNew(transaction, delivery)) added.push(delivery);
  if (added.length === 0) return;
  await transaction
    .insertInto("webhook_deliveries")
    .values(added.map(toRow))
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}

/** One atomic statement: of all replicas that add the same event, one finds it new. */
async function isNew(transaction: Transaction<Tables>, delivery: NewDelivery): Promise<boolean> {
  const { onceUntil: expires_at, createdAt } = delivery;
  if (expires_at === undefined) return true;
  await transaction.deleteFrom("webhook_messages").where("expires_at", "<=", createdAt).execute();
  const inserted = await transaction
    .insertInto("webhook_messages")
    .values({ id: deliveryId(delivery), expires_at })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

function deliveryId({ messageId, webhook }: Pick<NewDelivery, "messageId" | "webhook">): string {
  return `${messageId}:${webhook}`;
}

function toRow({ messageId, webhook, type, body, createdAt }: NewDelivery): Tables["webhook_deliveries"] {
  return {
    id: deliveryId({ messageId, webhook }),
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
