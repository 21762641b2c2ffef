import type { Settings } from "../../keys/key-store.js";
import type { Database } from "../database/open-database.js";

export function createSettings({ kysely }: Database): Settings {
  const read = (name: string) =>
    kysely.selectFrom("settings").select("value").where("name", "=", name).executeTakeFirst();
  return {
    settleOnce: async (name, make) => {
      const settled = await read(name);
      if (settled !== undefined) return { value: settled.value, isNew: false };
      const made = await kysely
        .insertInto("settings")
        .values({ name, value: make() })
        .onConflict((conflict) => conflict.column("name").doNothing())
        .returning("value")
        .executeTakeFirst();
      if (made !== undefined) return { value: made.value, isNew: true };
      const other = await read(name);
      if (other === undefined) throw new Error(`The setting ${name} is gone.`);
      return { value: other.value, isNew: false };
    },
  };
}
