import type { Transaction } from "kysely";
import type { TargetProbes } from "../../spaces/embed-at-target.js";
import type {
  CheckClaim,
  CheckedTarget,
  CheckLease,
  ProbeDistance,
  SpaceStates,
  SpaceStore,
} from "../../spaces/space-store.js";
import type { Database } from "../database/open-database.js";
import type { Tables } from "../database/schema/tables.js";

interface SpaceStoreOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The version of the texts and images that are embedded. Vectors of two versions are not compared. */
  readonly probesVersion: number;
  /** The lowest cosine between the vectors of the same inputs; 0 if their widths differ. */
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
      .select(["space", "upstream", "model", "checked_at", "cosine_min", "image_cosine_min"])
      .execute();
    return {
      accepted: new Map(spaces.map(({ id, accepted }) => [id, accepted])),
      checks: checks.flatMap(({ checked_at: checkedAt, cosine_min: cosineMin, ...check }) =>
        checkedAt === null || cosineMin === null
          ? []
          : [{ ...keyOf(check), checkedAt, cosineMin, imageCosineMin: check.image_cosine_min }],
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
    const { now, probesVersion } = this.#options;
    const made = { input_type: target.inputType, texts_version: probesVersion };
    const unchecked = {
      checked_at: null,
      width: null,
      vectors: null,
      image_vectors: null,
      cosine_min: null,
      image_cosine_min: null,
    };
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

  record(target: CheckedTarget, { texts, images }: TargetProbes): Promise<ProbeDistance> {
    const { now, probesVersion } = this.#options;
    const stored = {
      width: texts[0]?.length ?? 0,
      vectors: encodeVectors(texts),
      image_vectors: images === undefined ? null : encodeVectors(images),
    };
    const made = { input_type: target.inputType, texts_version: probesVersion };
    return this.#kysely.transaction().execute(async (transaction) => {
      await lockSpace(transaction, target.space);
      const reference = await findOrInsertReference(transaction, {
        space: target.space,
        ...made,
        ...stored,
        recorded_at: now(),
      });
      const distance = this.#distance(reference, stored);
      const check = { ...stored, ...made, ...distance, lease_until: now(), checked_at: now() };
      await transaction
        .insertInto("space_checks")
        .values({ ...keyOf(target), ...check })
        .onConflict((conflict) => conflict.columns(["space", "upstream", "model"]).doUpdateSet(check))
        .execute();
      await transaction
        .deleteFrom("space_checks")
        .where("lease_until", "<", now() - forgottenMs)
        .execute();
      return { cosineMin: distance.cosine_min, imageCosineMin: distance.image_cosine_min };
    });
  }

  /** Images are compared where both have vectors of them. */
  #distance(reference: StoredVectors, stored: StoredVectors) {
    const { compare } = this.#options;
    const [theirs, ours] = [reference, stored].map(({ width, image_vectors: vectors }) =>
      vectors === null ? undefined : decodeVectors({ width, vectors }),
    );
    return {
      cosine_min: compare(decodeVectors(reference), decodeVectors(stored)),
      image_cosine_min: theirs && ours ? compare(theirs, ours) : null,
    };
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
      const reference = await this.#replaceReference(transaction, chosen);
      for (const check of checks) await this.#compareAgain(transaction, check, reference);
      const { accepted } = await transaction
        .updateTable("vector_spaces")
        .set((is) => ({ accepted: is("accepted", "+", 1) }))
        .where("id", "=", space)
        .returning("accepted")
        .executeTakeFirstOrThrow();
      return accepted;
    });
  }

  async #replaceReference(
    transaction: Transaction<Tables>,
    chosen: WithVectors,
  ): Promise<Tables["space_references"]> {
    const { space, input_type, texts_version, width, vectors } = chosen;
    const before = await transaction
      .selectFrom("space_references")
      .select("image_vectors")
      .where((is) => is.and({ space, input_type, texts_version, width }))
      .executeTakeFirst();
    const image_vectors = chosen.image_vectors ?? before?.image_vectors ?? null;
    const made = { space, input_type, texts_version, recorded_at: this.#options.now() };
    const reference = { ...made, width, vectors, image_vectors };
    await transaction.deleteFrom("space_references").where("space", "=", space).execute();
    await transaction.insertInto("space_references").values(reference).execute();
    return reference;
  }

  async #compareAgain(
    transaction: Transaction<Tables>,
    check: Tables["space_checks"],
    reference: Tables["space_references"],
  ): Promise<void> {
    const isComparable =
      hasVectors(check) &&
      check.input_type === reference.input_type &&
      check.texts_version === reference.texts_version;
    await transaction
      .updateTable("space_checks")
      .set(isComparable ? this.#distance(reference, check) : { cosine_min: null, image_cosine_min: null })
      .where((is) => is.and(keyOf(check)))
      .execute();
  }
}

/** The reference of a space; the given one if there is none yet. The same holds for that of images. */
async function findOrInsertReference(transaction: Transaction<Tables>, given: Tables["space_references"]) {
  const { space, input_type, texts_version } = given;
  await transaction
    .insertInto("space_references")
    .values(given)
    .onConflict((conflict) => conflict.columns(["space", "input_type", "texts_version"]).doNothing())
    .execute();
  const isReference = { space, input_type, texts_version };
  if (given.image_vectors !== null)
    await transaction
      .updateTable("space_references")
      .set({ image_vectors: given.image_vectors })
      .where((is) => is.and({ ...isReference, width: given.width }))
      .where("image_vectors", "is", null)
      .execute();
  return transaction
    .selectFrom("space_references")
    .select(["width", "vectors", "image_vectors"])
    .where((is) => is.and(isReference))
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

/** The vectors of a reference or of a check. */
type StoredVectors = Pick<Tables["space_references"], "width" | "vectors" | "image_vectors">;
type WithVectors = Tables["space_checks"] & StoredVectors;

function hasVectors(check: Tables["space_checks"]): check is WithVectors {
  return check.width !== null && check.vectors !== null;
}

function encodeVectors(vectors: readonly Float32Array[]): Buffer {
  const width = vectors[0]?.length ?? 0;
  const bytes = Buffer.alloc(vectors.length * width * 4);
  for (const [row, vector] of vectors.entries())
    for (const [column, value] of vector.entries()) bytes.writeFloatLE(value, (row * width + column) * 4);
  return bytes;
}

function decodeVectors({ width, vectors }: Pick<StoredVectors, "width" | "vectors">): Float32Array[] {
  const count = width === 0 ? 0 : vectors.length / (width * 4);
  return Array.from({ length: count }, (_, row) =>
    Float32Array.from({ length: width }, (_, column) => vectors.readFloatLE((row * width + column) * 4)),
  );
}
