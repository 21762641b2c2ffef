import { isObject } from "@model-gateway/runtime/json";
import type { ComparisonStore, TargetComparison } from "../../spaces/comparison-store.js";
import type { Database } from "../database/open-database.js";

/** One delete names at most this many models. */
const droppedAtOnceMax = 500;

/** The last comparison of each model, in a table that all replicas share. */
export function createComparisonStore({ kysely, lookups }: Database): ComparisonStore {
  return {
    read: async () => {
      const rows = await lookups.selectFrom("space_comparisons").selectAll().orderBy("model").execute();
      return rows.flatMap(({ model, compared_at: comparedAt, result }) => {
        const stored: unknown = JSON.parse(result);
        return isResult(stored) ? [{ ...stored, model, comparedAt }] : [];
      });
    },
    save: async ({ model, comparedAt, ...result }) => {
      await kysely
        .insertInto("space_comparisons")
        .values({ model, compared_at: comparedAt, result: JSON.stringify(result satisfies StoredResult) })
        .onConflict((conflict) =>
          conflict
            .column("model")
            .doUpdateSet((is) => ({
              compared_at: is.ref("excluded.compared_at"),
              result: is.ref("excluded.result"),
            }))
            .whereRef("space_comparisons.compared_at", "<=", "excluded.compared_at"),
        )
        .execute();
    },
    drop: async (models) => {
      for (let start = 0; start < models.length; start += droppedAtOnceMax)
        await kysely
          .deleteFrom("space_comparisons")
          .where("model", "in", models.slice(start, start + droppedAtOnceMax))
          .execute();
    },
  };
}

type StoredResult = Omit<TargetComparison, "model" | "comparedAt">;

/** False if another version of the gateway has written it in another form. */
function isResult(value: unknown): value is StoredResult {
  return (
    isObject(value) &&
    typeof value.space === "string" &&
    typeof value.fingerprint === "string" &&
    typeof value.verdict === "string" &&
    typeof value.texts === "number" &&
    typeof value.images === "number" &&
    Array.isArray(value.targets) &&
    value.targets.every(
      (target) =>
        isObject(target) &&
        typeof target.upstream === "string" &&
        typeof target.model === "string" &&
        typeof target.verdict === "string" &&
        Array.isArray(target.differsIn) &&
        typeof target.ms === "number",
    )
  );
}
