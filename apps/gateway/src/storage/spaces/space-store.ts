import type { Transaction } from "kysely";
import type {
  CheckClaim,
  CheckedTarget,
  CheckLease,
  SpaceStates,
  SpaceStore,
} from "../../spaces/space-store.js";
import type { Database } from "../database/open-database.js";
import type { SpaceCheckTable, SpaceReferenceTable, Tables } from "../database/tables.js";

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
export class DatabaseSpaceStore implements SpaceStore {
  readonly #kysely: Database["kysely"];
  readonly #lookups: Database["lookups"];
  readonly #options: SpaceStoreOptions;

  constructor({ kysely, lookups }: Database, options: SpaceStoreOptions) {
    this.#kysely = kysely;
    this.#lookups = lookups;
    this.#options = options;
  }

  async read(): Promise<SpaceStates> {
    const spaces = await this.#lookups
      .selectFrom("vector_spaces")
      .selectAll()
      .where("accepted", ">", 0)
      .execute();
    const checks = await this.#lookups
      .selectFrom("space_checks")
      .select(["space", "upstream", "model", "checked_at", "cosine_min"])
      .execute();
    return {
      accepted: new Map(spaces.map(({ id, accepted }) => [id, accepted])),
      checks: checks.flatMap(({ space, upstream, model, checked_at: checkedAt, cosine_min: cosineMin }) =>
        checkedAt === null || cosineMin === null ? [] : [{ space, upstream, model, checkedAt, cosineMin }],
      ),
    };
  }

  async claim(target: CheckedTarget, lease: CheckLease): Promise<CheckClaim> {
    if (await this.#lease(target, lease)) return "claimed";
    const row = await this.#lookups
      .selectFrom("space_checks")
      .select("checked_at")
      .where((is) => is.and(keyOf(target)))
      .executeTakeFirst();
    return (row?.checked_at ?? 0) >= lease.since ? "checked" : "leased";
  }

  /** One atomic statement: of all concurrent callers, one finds the target new, or its lease expired. */
  async #lease(target: CheckedTarget, { since, until }: CheckLease): Promise<boolean> {
    const { now, textsVersion } = this.#options;
    const made = { input_type: target.inputType, texts_version: textsVersion };
    const unchecked = { checked_at: null, width: null, vectors: null, cosine_min: null };
    const claimed = await this.#kysely
      .insertInto("space_checks")
      .values({ ...keyOf(target), ...made, ...unchecked, lease_until: until })
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
                is("space_checks.input_type", "!=", made.input_type),
                is("space_checks.texts_version", "!=", made.texts_version),
              ]),
            ]),
          ),
      )
      .returning("space")
      .executeTakeFirst();
    return claimed !== undefined;
  }

  async release(target: CheckedTarget): Promise<void> {
    await this.#kysely
      .updateTable("space_checks")
      .set({ lease_until: this.#options.now() })
      .where((is) => is.and(keyOf(target)))
      .execute();
  }

  record(target: CheckedTarget, vectors: readonly Float32Array[]): Promise<number> {
    const { now, textsVersion, compare } = this.#options;
    const stored = { width: vectors[0]?.length ?? 0, vectors: encodeVectors(vectors) };
    const made = { input_type: target.inputType, texts_version: textsVersion };
    return this.#kysely.transaction().execute(async (transaction) => {
      await lockSpace(transaction, target.space);
      const reference = await findOrInsertReference(transaction, {
        space: target.space,
        ...made,
        ...stored,
        recorded_at: now(),
      });
      const cosine = compare(decodeVectors(reference), vectors);
      const check = { ...stored, ...made, lease_until: now(), checked_at: now(), cosine_min: cosine };
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
    });
  }

  accept(target: Omit<CheckedTarget, "inputType">): Promise<number | undefined> {
    return this.#kysely.transaction().execute(async (transaction) => {
      const { space } = target;
      await lockSpace(transaction, space);
      const checks = await transaction
        .selectFrom("space_checks")
        .selectAll()
        .where("space", "=", space)
        .execute();
      const chosen = checks.find(
        ({ upstream, model }) => upstream === target.upstream && model === target.model,
      );
      if (chosen === undefined || !hasVectors(chosen)) return undefined;
      await this.#replaceReference(transaction, chosen);
      for (const check of checks) await this.#compareAgain(transaction, check, chosen);
      const { accepted } = await transaction
        .updateTable("vector_spaces")
        .set((is) => ({ accepted: is("accepted", "+", 1) }))
        .where("id", "=", space)
        .returning("accepted")
        .executeTakeFirstOrThrow();
      return accepted;
    });
  }

  async #replaceReference(transaction: Transaction<Tables>, chosen: WithVectors): Promise<void> {
    const { space, input_type, texts_version, width, vectors } = chosen;
    await transaction.deleteFrom("space_references").where("space", "=", space).execute();
    await transaction
      .insertInto("space_references")
      .values({ space, input_type, texts_version, width, vectors, recorded_at: this.#options.now() })
      .execute();
  }

  async #compareAgain(
    transaction: Transaction<Tables>,
    check: SpaceCheckTable,
    chosen: WithVectors,
  ): Promise<void> {
    const isComparable =
      hasVectors(check) &&
      check.input_type === chosen.input_type &&
      check.texts_version === chosen.texts_version;
    const cosine_min = isComparable
      ? this.#options.compare(decodeVectors(chosen), decodeVectors(check))
      : null;
    await transaction
      .updateTable("space_checks")
      .set({ cosine_min })
      .where((is) => is.and(keyOf(check)))
      .execute();
  }
}

/** The reference of a space; the given one if there is none yet. */
async function findOrInsertReference(transaction: Transaction<Tables>, given: SpaceReferenceTable) {
  const { space, input_type, texts_version } = given;
  await transaction
    .insertInto("space_references")
    .values(given)
    .onConflict((conflict) => conflict.columns(["space", "input_type", "texts_version"]).doNothing())
    .execute();
  return transaction
    .selectFrom("space_references")
    .select(["width", "vectors"])
    .where((is) => is.and({ space, input_type, texts_version }))
    .executeTakeFirstOrThrow();
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
