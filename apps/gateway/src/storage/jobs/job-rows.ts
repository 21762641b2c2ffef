import type { ClaimedJob, Job, JobWithRequest, StoredInput } from "../../jobs/job.js";
import type { Tables } from "../database/schema/tables.js";
import { anySite, newLease } from "../work/leased-table.js";

/** Everything but the request, which may have megabytes. */
export const columns = [
  "id",
  "key_id",
  "owner",
  "operation",
  "model",
  "state",
  "outcome",
  "request_id",
  "scope",
  "fingerprint",
  "created_at",
  "started_at",
  "ended_at",
  "expires_at",
  "failure",
  "site",
] as const satisfies readonly (keyof Tables["jobs"])[];

export function rowOf(job: JobWithRequest): Tables["jobs"] {
  return {
    id: job.id,
    site: job.site ?? anySite,
    ...newLease(job.createdAt),
    key_id: job.keyId,
    owner: job.owner ?? null,
    operation: job.operation,
    model: job.model,
    outcome: null,
    request_id: job.requestId,
    scope: job.scope,
    fingerprint: job.fingerprint,
    created_at: job.createdAt,
    started_at: null,
    ended_at: null,
    expires_at: job.expiresAt,
    is_cancelled: 0,
    input_bytes: job.request.inputs.reduce((sum, { bytes }) => sum + bytes, 0),
    failure: null,
    request: JSON.stringify(job.request),
  };
}

export function toJob(row: Pick<Tables["jobs"], (typeof columns)[number]>): Job {
  return {
    id: row.id,
    keyId: row.key_id,
    owner: row.owner ?? undefined,
    operation: row.operation,
    model: row.model,
    status: row.outcome ?? (row.state === "running" ? "in_progress" : "queued"),
    requestId: row.request_id,
    scope: row.scope,
    fingerprint: row.fingerprint,
    createdAt: row.created_at,
    startedAt: row.started_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
    expiresAt: row.expires_at,
    site: row.site === anySite ? undefined : row.site,
    failure: row.failure === null ? undefined : JSON.parse(row.failure),
  };
}

export function toClaimedJob(row: Tables["jobs"]): ClaimedJob {
  return { ...toJob(row), request: JSON.parse(row.request), attempts: row.attempts };
}

export function inputsOf(request: string): readonly StoredInput[] {
  return request === "" ? [] : JSON.parse(request).inputs;
}
