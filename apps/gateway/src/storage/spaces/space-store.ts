import type { Transaction } from "kysely";
import type { CheckedTarget, SpaceStore } from "../../spaces/space-store.js";
import type { Database } from "../database/open-database.js";
import type { SpaceCheckTable, Tables } from "../database/tables.js";

export interface SpaceStoreOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The version of the texts that are embedded. Vectors of two versions are not compared. */
  readonly textsVersion: number;
  /** The lowest cosine between the vectors of the same texts; 0 if their widths differ. */
  readonly compare: (left: readonly Float32Array[], right: readonly Float32Array[]) => number;
}

/** A target that no configuration has had for this long is forgotten. */
const forgottenMs = 90 * 86_400_000;

/** Checks of vector spaces, in tables that all replicas share. */
export function createSpaceStore({ kysely }: Database, options: SpaceStoreOptions): SpaceStore {
  const { now, textsVersion, compare } = options;
  return {
    read: async () => {
      const spaces = await kysely.selectFrom("vector_spaces").selectAll().where("accepted", ">", 0).execute();
      const checks = await kysely
        .selectFrom("space_checks")
        .select(["space", "upstream", "model", "checked_at", "cosine_min"])
        .execute();
      return {
        accepted: new Map(spaces.map(({ id, accepted }) => [id, accepted])),
        checks: checks.flatMap(({ space, upstream, model, checked_at: checkedAt, cosine_min: cosineMin }) =>
          checkedAt === null || cosineMin === null ? [] : [{ space, upstream, model, checkedAt, cosineMin }],
        ),
      };
    },
    claim: async ({ space, upstream, model, inputType }, { since, until }) => {
      // One atomic statement: of all concurrent callers, one finds the target new, or its lease expired.
      const claimed = await kysely
        .insertInto("space_checks")
        .values({
          space,
          upstream,
          model,
          lease_until: until,
          checked_at: null,
          input_type: inputType,
          texts_version: textsVersion,
          width: null,
          vectors: null,
          cosine_min: null,
        })
        .onConflict((conflict) =>
          conflict
            .columns(["space", "upstream", "model"])
            .doUpdateSet((is) => ({ lease_until: is.ref("excluded.lease_until") }))
            .where((is) =>
              is.and([
                is("space_checks.lease_until", "<=", now()),
                is.or([
                  is("space_checks.checked_at", "is", null),
                  is("space_checks.checked_at", "<", since),
                  is("space_checks.input_type", "!=", inputType),
                  is("space_checks.texts_version", "!=", textsVersion),
                ]),
              ]),
            ),
        )
        .returning("space")
        .executeTakeFirst();
      if (claimed !== undefined) return "claimed";
      const row = await kysely
        .selectFrom("space_checks")
        .select("checked_at")
        .where((is) => is.and({ space, upstream, model }))
        .executeTakeFirst();
      return (row?.checked_at ?? 0) >= since ? "checked" : "leased";
    },
    release: async (target) => {
      await kysely
        .updateTable("space_checks")
        .set({ lease_until: now() })
        .where((is) => is.and(keyOf(target)))
        .execute();
    },
    record: (target, vectors) =>
      kysely.transaction().execute(async (transaction) => {
        await lockSpace(transaction, target.space);
        const stored = { width: vectors[0]?.length ?? 0, vectors: encodeVectors(vectors) };
        const key = { space: target.space, input_type: target.inputType, texts_version: textsVersion };
        await transaction
          .insertInto("space_references")
          .values({ ...key, ...stored, recorded_at: now() })
          .onConflict((conflict) => conflict.columns(["space", "input_type", "texts_version"]).doNothing())
          .execute();
        const reference = await transaction
          .selectFrom("space_references")
          .select(["width", "vectors"])
          .where((is) => is.and(key))
          .executeTakeFirstOrThrow();
        const cosine = compare(decodeVectors(reference), vectors);
        const check = {
          ...stored,
          lease_until: now(),
          checked_at: now(),
          input_type: target.inputType,
          texts_version: textsVersion,
          cosine_min: cosine,
        };
        await transaction
          .insertInto("space_checks")
          .values({ ...keyOf(target), ...check })
          .onConflict((conflict) => conflict.columns(["space", "upstream", "model"]).doUpdateSet(check))
          .execute();
        await transaction
          .deleteFrom("space_checks")
          .where("lease_until", "<", now() - forgottenMs)
          .execute();
        return cosine;
      }),
    accept: (target) =>
      kysely.transaction().execute(async (transaction) => {
        await lockSpace(transaction, target.space);
        const checks = await transaction
          .selectFrom("space_checks")
          .selectAll()
          .where("space", "=", target.space)
          .execute();
        const chosen = checks.find(
          ({ upstream, model }) => upstream === target.upstream && model === target.model,
        );
        if (chosen === undefined || !hasVectors(chosen)) return undefined;
        await transaction.deleteFrom("space_references").where("space", "=", target.space).execute();
        const { space, input_type, texts_version, width, vectors } = chosen;
        await transaction
          .insertInto("space_references")
          .values({ space, input_type, texts_version, width, vectors, recorded_at: now() })
          .execute();
        for (const check of checks) {
          const isComparable =
            hasVectors(check) && check.input_type === input_type && check.texts_version === texts_version;
          const cosine_min = isComparable ? compare(decodeVectors(chosen), decodeVectors(check)) : null;
          await transaction
            .updateTable("space_checks")
            .set({ cosine_min })
            .where((is) => is.and(keyOf(check)))
            .execute();
        }
        const { accepted } = await transaction
          .updateTable("vector_spaces")
          .set((is) => ({ accepted: is("accepted", "+", 1) }))
          .where("id", "=", space)
          .returning("accepted")
          .executeTakeFirstOrThrow();
        return accepted;
      }),
  };
}

/** The row stays locked until the transaction ends: a check in flight is not compared with a reference that is replaced. */
async function lockSpace(transaction: Transaction<Tables>, id: string): Promise<void> {
  await transaction
    .insertInto("vector_spaces")
    .values({ id, accepted: 0 })
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet((is) => ({ accepted: is.ref("vector_spaces.accepted") })),
    )
    .execute();
}

function keyOf({ space, upstream, model }: Omit<CheckedTarget, "inputType">) {
  return { space, upstream, model };
}

type WithVectors = SpaceCheckTable & { readonly width: number; readonly vectors: Buffer };

function hasVectors(check: SpaceCheckTable): check is WithVectors {
  return check.width !== null && check.vectors !== null;
}

function encodeVectors(vectors: readonly Float32Array[]): Buffer {
  const width = vectors[0]?.length ?? 0;
  const bytes = Buffer.alloc(vectors.length * width * 4);
  for (const [row, vector] of vectors.entries())
    for (const [column, value] of vector.entries()) bytes.writeFloatLE(value, (row * width + column) * 4);
  return bytes;
}

function decodeVectors({ width, vectors }: Pick<WithVectors, "width" | "vectors">): Float32Array[] {
  const count = width === 0 ? 0 : vectors.length / (width * 4);
  return Array.from({ length: count }, (_, row) =>
    Float32Array.from({ length: width }, (_, column) => vectors.readFloatLE((row * width + column) * 4)),
  );
}
