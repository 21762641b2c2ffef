import type { Page, PageRequest } from "@model-gateway/domain/page";
import { type RawBuilder, sql, type UpdateQueryBuilder, type UpdateResult } from "kysely";
import type { ClaimedJob, Job, JobWithRequest, StoredInput } from "../../jobs/job.js";
import type {
  AnnounceJob,
  CreatedJob,
  JobEnd,
  JobFilter,
  JobStore,
  PendingJobs,
} from "../../jobs/job-store.js";
import { isStorable, pageOf, readCursor } from "../database/cursor.js";
import type { Database } from "../database/open-database.js";
import { idsOf } from "../database/records-of.js";
import type { Tables } from "../database/schema/tables.js";
import { addDeliveries } from "../webhooks/delivery-store.js";
import { anySite, LeasedTable } from "../work/leased-table.js";
import { columns, inputsOf, rowOf, toClaimedJob, toJob } from "./job-rows.js";

interface JobStoreOptions {
  /** Where this process stores files. */
  readonly site: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Jobs, in a table that all replicas share. */
export class DatabaseJobStore extends LeasedTable<Tables["jobs"], ClaimedJob> implements JobStore {
  readonly site: string;
  readonly #database: Database;
  readonly #kysely: Database["kysely"];
  readonly #now: () => number;

  constructor(database: Database, { site, now }: JobStoreOptions) {
    super(database, {
      table: "jobs",
      sites: [site, anySite],
      toItem: toClaimedJob,
      onClaim: (at) => sql`, started_at = coalesce(started_at, ${at})`,
      now,
    });
    this.site = site;
    this.#database = database;
    this.#kysely = database.kysely;
    this.#now = now;
  }

  async create(job: JobWithRequest): Promise<CreatedJob> {
    const created = await this.#kysely
      .insertInto("jobs")
      .values(rowOf(job))
      .onConflict((conflict) => conflict.column("scope").doNothing())
      .returning(columns)
      .executeTakeFirst();
    if (created !== undefined) return { job: toJob(created), isNew: true };
    const earlier = await this.#findBy("scope", job.scope);
    if (earlier === undefined) throw new Error("A job was deleted while the same one was created.");
    return { job: earlier, isNew: false };
  }

  find(id: string): Promise<Job | undefined> {
    return this.#findBy("id", id);
  }

  findByScope(scope: string): Promise<Job | undefined> {
    return this.#findBy("scope", scope);
  }

  async list(filter: JobFilter, page: PageRequest): Promise<Page<Job>> {
    const rows = await listStatement(this.#database, filter, page).execute();
    return pageOf(rows, page, { toItem: toJob, cursorOf: ({ created_at: at, id }) => ({ at, id }) });
  }

  async countPending(keyId: string): Promise<PendingJobs> {
    const ofKey = (value: RawBuilder<unknown>) => sql`case when key_id = ${keyId} then ${value} else 0 end`;
    const total = (value: RawBuilder<unknown>) => sql<number | string>`coalesce(sum(${value}), 0)`;
    const totals = await this.#kysely
      .selectFrom("jobs")
      .select([
        total(sql`1`).as("jobs"),
        total(sql`input_bytes`).as("bytes"),
        total(ofKey(sql`1`)).as("keyJobs"),
        total(ofKey(sql`input_bytes`)).as("keyBytes"),
      ])
      .where("outcome", "is", null)
      .executeTakeFirstOrThrow();
    // PostgreSQL sums to a type that its driver returns as text.
    return {
      ofKey: { jobs: Number(totals.keyJobs), inputBytes: Number(totals.keyBytes) },
      all: { jobs: Number(totals.jobs), inputBytes: Number(totals.bytes) },
    };
  }

  async cancelAbandoned(announce: AnnounceJob): Promise<void> {
    await this.#end({ status: "cancelled", announce }, (query) =>
      query.where("is_cancelled", "=", 1).where(this.isAbandoned()),
    );
  }

  async end(id: string, holder: string, end: JobEnd): Promise<Job | undefined> {
    const [ended] = await this.#end(end, (query) =>
      query.where("id", "=", id).where("holder", "=", holder).where("state", "=", "running"),
    );
    return ended;
  }

  async noteProgress(id: string, holder: string, progress: string): Promise<void> {
    await sql`insert into job_progress (job_id, content)
      select id, cast(${progress} as text) from jobs
      where id = ${id} and holder = ${holder} and state = 'running'
      on conflict (job_id) do update set content = excluded.content`.execute(this.#kysely);
  }

  async progressOf(id: string): Promise<string | undefined> {
    const rows = this.#kysely.selectFrom("job_progress").select("content");
    return (await rows.where("job_id", "=", id).executeTakeFirst())?.content;
  }

  async cancel(id: string, announce: AnnounceJob): Promise<"cancelled" | "marked" | "ended"> {
    const [cancelled] = await this.#end({ status: "cancelled", announce }, (query) =>
      query.where("id", "=", id).where("state", "in", ["queued", "delayed"]),
    );
    if (cancelled !== undefined) return "cancelled";
    const marked = await this.#kysely
      .updateTable("jobs")
      .set({ is_cancelled: 1 })
      .where("id", "=", id)
      .where("outcome", "is", null)
      .returning("id")
      .executeTakeFirst();
    return marked === undefined ? "ended" : "marked";
  }

  async inputsOf(id: string): Promise<readonly StoredInput[]> {
    const rows = this.#kysely.selectFrom("jobs").select("request");
    return inputsOf((await rows.where("id", "=", id).executeTakeFirst())?.request ?? "");
  }

  async cancelledAmong(ids: readonly string[]): Promise<readonly string[]> {
    if (ids.length === 0) return [];
    const rows = await this.#idsAmong(ids).where("is_cancelled", "=", 1).execute();
    return rows.map(({ id }) => id);
  }

  async endedAmong(ids: readonly string[]): Promise<readonly string[]> {
    if (ids.length === 0) return [];
    const rows = await this.#idsAmong(ids).where("outcome", "is", null).execute();
    const running = new Set(rows.map(({ id }) => id));
    return ids.filter((id) => !running.has(id));
  }

  async deleteExpired(): Promise<readonly string[]> {
    const rows = await this.#kysely
      .deleteFrom("jobs")
      .where("expires_at", "<=", this.#now())
      .returning("request")
      .execute();
    await this.#kysely
      .deleteFrom("job_progress")
      .where("job_id", "not in", (is) => is.selectFrom("jobs").select("id").where("state", "=", "running"))
      .execute();
    return rows.flatMap(({ request }) => inputsOf(request)).map(({ id }) => id);
  }

  #idsAmong(ids: readonly string[]) {
    return this.#kysely.selectFrom("jobs").select("id").where("id", "in", ids);
  }

  async #findBy(column: "id" | "scope", value: string): Promise<Job | undefined> {
    if (!isStorable(value)) return undefined;
    const rows = this.#kysely.selectFrom("jobs").select(columns);
    const row = await rows.where(column, "=", value).executeTakeFirst();
    return row && toJob(row);
  }

  /** Ends the jobs of a condition, deletes their progress and stores their events, in one transaction. */
  #end(
    { status, failure, announce }: JobEnd,
    select: (query: UpdateJobs) => UpdateJobs,
  ): Promise<readonly Job[]> {
    return this.#kysely.transaction().execute(async (transaction) => {
      const update = transaction.updateTable("jobs").set({
        state: "done",
        holder: null,
        outcome: status,
        ended_at: this.#now(),
        input_bytes: 0,
        request: "",
        failure: failure === undefined ? null : JSON.stringify(failure),
      });
      const ended = (await select(update).returning(columns).execute()).map(toJob);
      if (ended.length === 0) return ended;
      const ids = ended.map(({ id }) => id);
      await transaction.deleteFrom("job_progress").where("job_id", "in", ids).execute();
      await addDeliveries(transaction, ended.flatMap(announce));
      return ended;
    });
  }
}

type UpdateJobs = UpdateQueryBuilder<Tables, "jobs", "jobs", UpdateResult>;

function listStatement(
  { kysely }: Database,
  { keyId, owner, status }: JobFilter,
  { limit, cursor }: PageRequest,
) {
  const after = cursor === undefined ? undefined : readCursor(cursor);
  const where = sql<boolean>`${hasStatus(status)} and ${
    after === undefined ? sql`true` : sql`(created_at, id) < (${after.at}, ${after.id})`
  }`;
  const orderBy = sql`created_at desc, id desc`;
  const query = kysely
    .selectFrom("jobs")
    .select(columns)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit + 1);
  if (keyId === undefined) return query.where(where);
  return query.where(
    "id",
    "in",
    idsOf({ keyId, owner }, { table: "jobs", where, orderBy, limit: limit + 1 }),
  );
}

function hasStatus(status: JobFilter["status"]): RawBuilder<unknown> {
  if (status === undefined) return sql`true`;
  if (status === "queued") return sql`outcome is null and state in ('queued', 'delayed')`;
  if (status === "in_progress") return sql`outcome is null and state = 'running'`;
  return sql`outcome = ${status}`;
}
