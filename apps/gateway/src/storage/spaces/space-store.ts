import { randomUUID } from "node:crypto";
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
import { Leases } from "../work/leases.js";

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
  readonly #leases: Leases;
  readonly #holder = randomUUID();
  readonly #options: SpaceStoreOptions;

  constructor(database: Database, options: SpaceStoreOptions) {
    this.#kysely = database.kysely;
    this.#lookups = database.lookups;
    this.#leases = new Leases(database, options);
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
        cosineMin === null
          ? []
          : [{ ...keyOf(check), checkedAt, cosineMin, imageCosineMin: check.image_cosine_min }],
      ),
    };
  }

  async claim(target: CheckedTarget, { since, until }: CheckLease): Promise<CheckClaim> {
    if (await this.#isChecked(target, since)) return "checked";
    if (!(await this.#leases.take(this.#leaseOf(target), { until }))) return "leased";
    // The last holder may have checked it since.
    if (!(await this.#isChecked(target, since))) return "claimed";
    await this.release(target);
    return "checked";
  }

  async #isChecked(target: CheckedTarget, since: number): Promise<boolean> {
    const made = { input_type: target.inputType, texts_version: this.#options.probesVersion };
    const row = await this.#kysely
      .selectFrom("space_checks")
      .select("checked_at")
      .where((is) => is.and({ ...keyOf(target), ...made }))
      .where("checked_at", ">=", since)
      .executeTakeFirst();
    return row !== undefined;
  }

  release(target: CheckedTarget): Promise<void> {
    return this.#leases.release(this.#leaseOf(target));
  }

  #leaseOf({ space, upstream, model }: CheckedTarget) {
    return { name: `space_check ${JSON.stringify([space, upstream, model])}`, holder: this.#holder };
  }

  async record(target: CheckedTarget, { texts, images }: TargetProbes): Promise<ProbeDistance> {
    const { now, probesVersion } = this.#options;
    const stored = {
      width: texts[0]?.length ?? 0,
      vectors: encodeVectors(texts),
      image_vectors: images === undefined ? null : encodeVectors(images),
    };
    const made = { input_type: target.inputType, texts_version: probesVersion };
    const recorded = await this.#kysely.transaction().execute(async (transaction) => {
      await lockSpace(transaction, target.space);
      const reference = await findOrInsertReference(transaction, {
        space: target.space,
        ...made,
        ...stored,
        recorded_at: now(),
      });
      const distance = this.#distance(reference, stored);
      const check = { ...stored, ...made, ...distance, checked_at: now() };
      await transaction
        .insertInto("space_checks")
        .values({ ...keyOf(target), ...check })
        .onConflict((conflict) => conflict.columns(["space", "upstream", "model"]).doUpdateSet(check))
        .execute();
      await transaction
        .deleteFrom("space_checks")
        .where("checked_at", "<", now() - forgottenMs)
        .execute();
      return { cosineMin: distance.cosine_min, imageCosineMin: distance.image_cosine_min };
    });
    await this.release(target);
    return recorded;
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
      if (chosen === undefined) return undefined;
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
    chosen: Tables["space_checks"],
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
      check.input_type === reference.input_type && check.texts_version === reference.texts_version;
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
