import type { Settings } from "../../keys/key-store.js";
import type { Database } from "../database/open-database.js";

/** Values that are generated once and shared by all replicas. */
export function createSettings({ kysely, lookups }: Database): Settings {
  const read = (name: string) =>
    lookups.selectFrom("settings").select("value").where("name", "=", name).executeTakeFirst();
  return {
    getOrCreate: async (name, create) => {
      const existing = await read(name);
      if (existing !== undefined) return { value: existing.value, isNew: false };
      const inserted = await kysely
        .insertInto("settings")
        .values({ name, value: create() })
        .onConflict((conflict) => conflict.column("name").doNothing())
        .returning("value")
        .executeTakeFirst();
      if (inserted !== undefined) return { value: inserted.value, isNew: true };
      const winner = await read(name);
      if (winner === undefined)
        throw new Error(`The setting ${name} was deleted while it was being created.`);
      return { value: winner.value, isNew: false };
    },
  };
}
