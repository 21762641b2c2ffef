import type { PageRequest } from "@model-gateway/domain/page";
import { type RawBuilder, sql, type UpdateQueryBuilder, type UpdateResult } from "kysely";
import type { Job } from "../../jobs/job.js";
import type { JobEnd, JobFilter, JobStore } from "../../jobs/job-store.js";
import { isStorable, readCursor, writeCursor } from "../database/cursor.js";
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
export function createJobStore(database: Database, { site, now }: JobStoreOptions): JobStore {
  const { kysely } = database;
  const leases = new LeasedTable<Tables["jobs"]>(database, {
    table: "jobs",
    sites: [site, anySite],
    onClaim: (at) => sql`, started_at = coalesce(started_at, ${at})`,
    now,
  });
  return {
    site,
    create: async (job) => {
      const created = await kysely
        .insertInto("jobs")
        .values(rowOf(job))
        .onConflict((conflict) => conflict.column("scope").doNothing())
        .returning(columns)
        .executeTakeFirst();
      if (created !== undefined) return { job: toJob(created), isNew: true };
      const earlier = await findBy(database, "scope", job.scope);
      if (earlier === undefined) throw new Error("A job was deleted while the same one was created.");
      return { job: earlier, isNew: false };
    },
    find: (id) => findBy(database, "id", id),
    findByScope: (scope) => findBy(database, "scope", scope),
    list: async (filter, page) => {
      const rows = await listStatement(database, filter, page).execute();
      const last = rows.length > page.limit ? rows[page.limit - 1] : undefined;
      return {
        items: rows.slice(0, page.limit).map(toJob),
        ...(last && { nextCursor: writeCursor({ at: last.created_at, id: last.id }) }),
      };
    },
    countPending: async (keyId) => {
      const ofKey = (value: RawBuilder<unknown>) => sql`case when key_id = ${keyId} then ${value} else 0 end`;
      const total = (value: RawBuilder<unknown>) => sql<number | string>`coalesce(sum(${value}), 0)`;
      const totals = await kysely
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
    },
    inspect: () => leases.inspect(),
    claim: async (holder) => {
      const row = await leases.claim(holder);
      return row && toClaimedJob(row);
    },
    renew: (ids, holder) => leases.renew(ids, holder),
    endLeases: () => leases.endLeases(),
    recover: async (announce) => {
      // A cancelled job whose holder died does not run again.
      await endJobs(database, { status: "cancelled", at: now(), announce }, (query) =>
        query.where("is_cancelled", "=", 1).where(leases.isAbandoned()),
      );
      return leases.recover();
    },
    release: (id, holder, until) => leases.putBack(id, holder, until),
    end: async (id, holder, end) => {
      const [ended] = await endJobs(database, { ...end, at: now() }, (query) =>
        query.where("id", "=", id).where("holder", "=", holder).where("state", "=", "running"),
      );
      return ended;
    },
    noteProgress: async (id, holder, progress) => {
      await sql`insert into job_progress (job_id, content)
        select id, cast(${progress} as text) from jobs
        where id = ${id} and holder = ${holder} and state = 'running'
        on conflict (job_id) do update set content = excluded.content`.execute(kysely);
    },
    progressOf: async (id) => {
      const row = await kysely
        .selectFrom("job_progress")
        .select("content")
        .where("job_id", "=", id)
        .executeTakeFirst();
      return row?.content;
    },
    cancel: async (id, announce) => {
      const [cancelled] = await endJobs(database, { status: "cancelled", at: now(), announce }, (query) =>
        query.where("id", "=", id).where("state", "in", ["queued", "delayed"]),
      );
      if (cancelled !== undefined) return "cancelled";
      const marked = await kysely
        .updateTable("jobs")
        .set({ is_cancelled: 1 })
        .where("id", "=", id)
        .where("outcome", "is", null)
        .returning("id")
        .executeTakeFirst();
      return marked === undefined ? "ended" : "marked";
    },
    inputsOf: async (id) => {
      const row = await kysely.selectFrom("jobs").select("request").where("id", "=", id).executeTakeFirst();
      return inputsOf(row?.request ?? "");
    },
    cancelledAmong: async (ids) => {
      if (ids.length === 0) return [];
      const rows = await kysely
        .selectFrom("jobs")
        .select("id")
        .where("id", "in", ids)
        .where("is_cancelled", "=", 1)
        .execute();
      return rows.map(({ id }) => id);
    },
    endedAmong: async (ids) => {
      if (ids.length === 0) return [];
      const rows = await kysely
        .selectFrom("jobs")
        .select("id")
        .where("id", "in", ids)
        .where("outcome", "is", null)
        .execute();
      const running = new Set(rows.map(({ id }) => id));
      return ids.filter((id) => !running.has(id));
    },
    deleteExpired: async () => {
      const rows = await kysely
        .deleteFrom("jobs")
        .where("expires_at", "<=", now())
        .returning("request")
        .execute();
      await kysely
        .deleteFrom("job_progress")
        .where("job_id", "not in", (is) => is.selectFrom("jobs").select("id").where("state", "=", "running"))
        .execute();
      return rows.flatMap(({ request }) => inputsOf(request)).map(({ id }) => id);
    },
  };
}

interface EndJobs extends JobEnd {
  readonly at: number;
}

/** Ends the jobs of a condition, deletes their progress and stores their events, in one transaction. */
async function endJobs(
  { kysely }: Database,
  { status, failure, at, announce }: EndJobs,
  select: (query: UpdateJobs) => UpdateJobs,
): Promise<readonly Job[]> {
  return kysely.transaction().execute(async (transaction) => {
    const update = transaction.updateTable("jobs").set({
      state: "done",
      holder: null,
      outcome: status,
      ended_at: at,
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

type UpdateJobs = UpdateQueryBuilder<Tables, "jobs", "jobs", UpdateResult>;

async function findBy({ kysely }: Database, column: "id" | "scope", value: string): Promise<Job | undefined> {
  if (!isStorable(value)) return undefined;
  const row = await kysely.selectFrom("jobs").select(columns).where(column, "=", value).executeTakeFirst();
  return row && toJob(row);
}

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
