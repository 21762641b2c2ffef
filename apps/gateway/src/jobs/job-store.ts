import type { Page, PageRequest } from "@model-gateway/domain/page";
import type { RecordOwner } from "@model-gateway/domain/record-owner";
import type { NewDelivery } from "../webhooks/delivery-store.js";
import type { PausableWork } from "../work/leased-work.js";
import type {
  ClaimedJob,
  Job,
  JobFailure,
  JobOutcome,
  JobStatus,
  JobWithRequest,
  StoredInput,
} from "./job.js";

/** Stores jobs, for all replicas that share the database. Each change is one atomic statement. */
export interface JobStore extends Omit<PausableWork<ClaimedJob>, "delay"> {
  /** Where this process stores files. It claims jobs of this site, and those of none. */
  readonly site: string;
  /** Ends the leases of the last run, if no other process can have one. Called at the start. */
  endLeases(): Promise<void>;
  /** Ends cancelled jobs whose holder has died. `recover` would let them run again. */
  cancelAbandoned(announce: AnnounceJob): Promise<void>;
  /** Returns the job that has this scope already, or stores this one. */
  create(job: JobWithRequest): Promise<CreatedJob>;
  find(id: string): Promise<Job | undefined>;
  findByScope(scope: string): Promise<Job | undefined>;
  /** Newest first. */
  list(filter: JobFilter, page: PageRequest): Promise<Page<Job>>;
  countPending(keyId: string): Promise<PendingJobs>;
  /** Resolves to the ended job, or to undefined if it is not the holder's any more. */
  end(id: string, holder: string, end: JobEnd): Promise<Job | undefined>;
  /** Replaces the progress of a job that the holder runs. */
  noteProgress(id: string, holder: string, progress: string): Promise<void>;
  /** The progress of a running job, as JSON. Undefined if there is none. */
  progressOf(id: string): Promise<string | undefined>;
  /** A queued job is cancelled; a running one is marked. Returns what it was done to. */
  cancel(id: string, announce: AnnounceJob): Promise<"cancelled" | "marked" | "ended">;
  /** The input images of a job that has not ended. */
  inputsOf(id: string): Promise<readonly StoredInput[]>;
  /** The jobs of these that are running and to be cancelled. */
  cancelledAmong(ids: readonly string[]): Promise<readonly string[]>;
  /** The jobs of these that have ended, or do not exist. */
  endedAmong(ids: readonly string[]): Promise<readonly string[]>;
  /** Deletes jobs that have expired. Returns the ids of their input images. */
  deleteExpired(): Promise<readonly string[]>;
}

export interface CreatedJob {
  readonly job: Job;
  readonly isNew: boolean;
}

/** `owner` adds those of the owner of the key. */
export interface JobFilter extends Partial<RecordOwner> {
  readonly status?: JobStatus;
}

/** The jobs that have not ended, and the bytes of their input images. */
export interface PendingJobs {
  readonly ofKey: JobTotals;
  readonly all: JobTotals;
}

interface JobTotals {
  readonly jobs: number;
  readonly inputBytes: number;
}

export interface JobEnd {
  readonly status: JobOutcome;
  readonly failure?: JobFailure | undefined;
  readonly announce: AnnounceJob;
}

/** The events of a job that has ended. They are stored in the transaction that ends it, so that none is lost. */
export type AnnounceJob = (ended: Job) => readonly NewDelivery[];
