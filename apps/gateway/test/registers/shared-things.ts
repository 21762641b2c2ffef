/** Something bounded that two keys share. */
export interface SharedThing {
  readonly what: string;
  /** Where it is kept and bounded, as places (`file#function`, `file#Class.member`) or whole files. */
  readonly keptIn: readonly string[];
  /** The part that one key may take, or why no key needs a share. */
  readonly share: string;
  /** The file and the name of the test with a greedy key and a modest one. Absent: no key can keep it from others. */
  readonly test?: readonly [file: string, name: string];
}

const src = "apps/gateway/src";

/**
 * Every pool, budget, queue, store, cache and slot that keys share. A new one gets a row: with the share of a key and a
 * test that a modest key hardly notices a greedy one, or with the reason why no share is needed. Paths without a folder
 * of the repository are in `apps/gateway/src`.
 */
export const sharedThings: readonly SharedThing[] = [
  {
    what: "the calls that a target takes, and the calls that wait for them",
    keptIn: [
      "packages/scheduling/src/admission.ts",
      "packages/scheduling/src/model-queue.ts",
      "packages/scheduling/src/capacity.ts",
    ],
    share: "half of the places in the queue of a model; keys take turns at each slot that is free",
    test: [
      `packages/scheduling/src/fair-queue.test.ts`,
      "a greedy caller fills half of the places at most, and a modest one waits for one of its turns",
    ],
  },
  {
    what: "the memory of bodies and replies",
    keptIn: ["packages/scheduling/src/memory-budget.ts", "app/modules/entrance.ts"],
    share: "of small bodies, large bodies and replies as much as a key leaves free; keys take turns",
    test: [
      `packages/scheduling/src/memory-budget.test.ts`,
      "a key has as much memory for replies as it leaves free, and its line does not hold up other keys",
    ],
  },
  {
    what: "the turns in which requests begin, and the memory of those that wait for one",
    keptIn: ["app/request-turns.ts", "app/request-line.ts", "app/server.ts"],
    share: "a request in each round of the keys and networks that wait, and half of the memory",
    test: [`${src}/app/request-line.test.ts`, "the lines take turns, however many requests are in each"],
  },
  {
    what: "the time of an event-loop turn",
    keptIn: ["packages/runtime/src/time-slice.ts", "packages/runtime/src/turn-batch.ts"],
    share:
      "4 ms for a piece of work, which then waits in line; small work never waits, bulk work has every second turn",
    test: [
      "packages/runtime/src/time-slice.test.ts",
      "a small piece of work need not yield, however long the turn is already",
    ],
  },
  {
    what: "the decoders of images",
    keptIn: ["images/delivery/image-decoder.ts"],
    share: "keys take turns at each of the two",
    test: [
      "packages/runtime/src/fair-semaphore.test.ts",
      "a task of a modest key waits for one end, whatever a greedy key has waiting",
    ],
  },
  {
    what: "the checks of manifests",
    keptIn: ["packages/content-credentials/src/check-provenance.ts"],
    share: "keys take turns at each of the two",
    test: [
      "packages/runtime/src/fair-semaphore.test.ts",
      "a task of a modest key waits for one end, whatever a greedy key has waiting",
    ],
  },
  {
    what: "the calls that go on without their callers",
    keptIn: ["images/idempotency/idempotency.ts"],
    share: "half of the free places; the runs themselves are requests in flight",
    test: [
      `${src}/images/idempotency/idempotency.test.ts`,
      "a caller has a share of the calls that go on; one beyond it is cancelled, and its outcome is unknown",
    ],
  },
  {
    what: "the requests that wait for the end of a job",
    keptIn: ["jobs/job-waits.ts"],
    share: "half of the free places; one beyond it gets the job as it is",
    test: [
      `${src}/jobs/job-waits.test.ts`,
      "a greedy key takes half of the places, and a modest one still waits for the end of its job",
    ],
  },
  {
    what: "the jobs that have not ended, and the space for their images",
    keptIn: ["jobs/jobs.ts"],
    share: "keyJobsMax, and half of the free places and bytes",
    test: [
      "apps/gateway/test/in-process/jobs/jobs.test.ts",
      "the images of a greedy key's jobs leave room for those of a modest one",
    ],
  },
  {
    what: "the jobs and the parts of batches that run at once",
    keptIn: ["work/worker.ts", "jobs/job-runner.ts"],
    share: "the key with the fewest that run goes next",
    test: [
      `${src}/storage/work/leased-table.stages.test.ts`,
      "a key with many rows does not keep another key's from starting",
    ],
  },
  {
    what: "the space for files and for the results of batches",
    keptIn: ["storage/files/file-quotas.ts#exceededQuota"],
    share: "the quotas of a key, and half of the free space",
    test: [`${src}/storage/files/file-index.stages.test.ts`, "no key takes all of the store"],
  },
  {
    what: "the lookups of keys that are not in memory",
    keptIn: ["keys/key-ring.ts#KeyRing.#lookups", "keys/key-ring.ts#KeyRing.#places"],
    share: "half of the free places for the network that presents them",
    test: [
      `${src}/keys/key-ring.test.ts`,
      "guesses of a greedy network leave room for the lookup of a modest one",
    ],
  },
  {
    what: "the lookups of sessions that are not in memory",
    keptIn: ["sessions/sessions.ts#Sessions.#lookups", "sessions/sessions.ts#Sessions.#places"],
    share: "half of the free places for the network that presents them",
    test: [
      `${src}/sessions/sessions.test.ts`,
      "guesses of a greedy network leave room for the session of a modest one",
    ],
  },
  {
    what: "the workers of local models, and the texts that wait for them",
    keptIn: ["packages/local-embeddings/src/"],
    share: "half of the free places; keys take turns at each worker",
    test: [
      "packages/local-embeddings/src/text-queue.test.ts",
      "a greedy owner fills half of the queue, and the text of a modest one is the next but one",
    ],
  },
  {
    what: "the keys and sessions in memory",
    keptIn: [
      "keys/key-ring.ts#KeyRing.#configured",
      "keys/key-ring.ts#KeyRing.#fingerprints",
      "keys/key-ring.ts#KeyRing.#recent",
      "keys/key-ring.ts#KeyRing.#remember",
      "keys/key-ring.ts#KeyRing.#byId",
      "keys/key-ring.ts#KeyRing.constructor",
      "sessions/sessions.ts#Sessions.#known",
    ],
    share: "one entry for each secret that is valid: only an operator makes more of them",
  },
  {
    what: "the texts that are known not to be keys",
    keptIn: ["keys/key-ring.ts#KeyRing.#unknown"],
    share: "guesses push out guesses: a text that is forgotten is looked up again",
  },
  {
    what: "the wrong keys at the sign-in",
    keptIn: ["sessions/sign-in-attempts.ts"],
    share:
      "one count for each network and beginning of a key; a right key is accepted whatever the counts are",
  },
  {
    what: "the uses of keys that wait to be stored",
    keptIn: ["keys/key-uses.ts"],
    share: "one time for each key",
  },
  {
    what: "the counts and the spending of keys",
    keptIn: ["limits/", "storage/redis/counters.ts#RedisCounters.#held", "webhooks/budget-alerts.ts"],
    share: "an entry for each key, which is dropped when the key is idle",
  },
  {
    what: "the memory of forms",
    keptIn: ["http/request/upload-memory.ts#UploadMemory", "app/modules/entrance.ts"],
    share: "no form waits for it: one that finds no room is written to disk",
  },
  {
    what: "buffers that are free",
    keptIn: ["packages/runtime/src/buffer-pool.ts#BufferPool", "app/modules/providers.ts"],
    share: "only idle memory is in it: where it is empty, a buffer is allocated",
  },
  {
    what: "the uploads of files at once",
    keptIn: ["files/file-service.ts#FileService"],
    share: "half of the free places, and each only while it arrives at a least rate",
    test: [`${src}/files/file-service.stages.test.ts`, "so many files arrive at once, and no more"],
  },
  {
    what: "connections of callers",
    keptIn: [
      "app/connections.ts",
      "app/strangers.ts",
      "execution/descriptors.ts",
      "app/workers/connection-handoff.ts",
    ],
    share:
      "100 unanswered requests for each; those that have shown no key give way to new ones, of a network with half of them its own; where descriptors are short, idle connections are closed, whoever has them",
    test: [
      `${src}/app/strangers.test.ts`,
      "beyond 2,048 connections the oldest of the network that has most of them is closed for its next",
    ],
  },
  {
    what: "connections to an upstream",
    keptIn: ["packages/providers/src/http/connection/origins.ts"],
    share: "1,024: four times the calls that one target takes, which keys take turns at",
  },
  {
    what: "upstream calls that requests share",
    keptIn: [
      "embeddings/coalescing/coalescer.ts",
      "embeddings/coalescing/coalescers.ts",
      "embeddings/coalescing/batches.ts",
    ],
    share: "a request waits for those of its window alone, which is a few milliseconds and one batch",
  },
  {
    what: "the health and the history of a target, its retries and hedges",
    keptIn: [
      "packages/scheduling/src/call-history.ts",
      "packages/scheduling/src/dispatch.ts",
      "packages/scheduling/src/retry-quota.ts",
      "packages/scheduling/src/scheduler.ts",
      "packages/scheduling/src/target-signals.ts",
      "webhooks/target-events.ts",
      "embeddings/coalescing/shared-batch-limits.ts",
    ],
    share: "they protect the target from all keys together; a caller's own mistakes do not count",
  },
  {
    what: "models behind patterns",
    keptIn: ["models/pattern-models.ts"],
    share: "a model that was forgotten is derived again at its next request, without a call",
  },
  {
    what: "vectors in memory and on disk",
    keptIn: ["storage/vectors/"],
    share:
      "none: a vector belongs to no key, since each that sends the text is served it. The least recently used go first on the whole, and one that is gone is bought again",
  },
  {
    what: "images behind links",
    keptIn: ["storage/images/disk-image-store.ts"],
    share: "an equal part of the store: beyond it, the key that holds the most loses its oldest",
    test: [
      "apps/gateway/test/in-process/images/full-stores.test.ts",
      "links and stored responses of a modest key stay while a greedy one fills both stores",
    ],
  },
  {
    what: "responses for an Idempotency-Key, and the marks of those that are lost",
    keptIn: ["storage/images/disk-response-store.ts"],
    share:
      "an equal part of the store, and of the marks: beyond it, the key that holds the most loses its oldest",
    test: [
      `${src}/storage/images/response-stores.stages.test.ts`,
      "responses of a modest key stay while a greedy one writes ten times the store, over restarts",
    ],
  },
  {
    what: "images that wait for their upload",
    keptIn: ["storage/images/upload-spool.ts"],
    share:
      "no key buys an image for a link while the bucket is down or half of the spool is used; the rest is for those that were bought before",
  },
  {
    what: "ledger rows that are not stored yet",
    keptIn: ["usage/ledger/"],
    share: "a row for each request, in the order of their arrival; a row has a few hundred bytes",
  },
  {
    what: "statements of the database",
    keptIn: ["storage/database/sqlite-dialect.ts", "storage/database/postgres-dialect.ts"],
    share: "a request has one short statement at a time, and requests take turns before they have any",
  },
  {
    what: "commands of Redis",
    keptIn: [
      "storage/redis/batcher.ts",
      "storage/redis/counters.ts#KeyList",
      "storage/redis/counters.ts#RedisCounters.#takes",
      "storage/redis/counters.ts#RedisCounters.#notices",
    ],
    share: "a request has a few commands, and all that wait go out together",
  },
  {
    what: "connections to a bucket",
    keptIn: ["packages/object-store/src/s3-client.ts"],
    share: "readers have connections apart from those of writers",
  },
  {
    what: "inputs for the shadow of a model",
    keptIn: ["embeddings/shadow.ts"],
    share: "inputs that do not fit are left out, which no caller notices",
  },
  {
    what: "events, and those who read them",
    keptIn: ["events/"],
    share: "readers are operators; of requests, twenty a second are shown",
  },
  {
    what: "deliveries to webhooks",
    keptIn: ["webhooks/deliveries.ts", "webhooks/memory-deliveries.ts", "webhooks/webhook-sender.ts"],
    share: "webhooks are the operator's; jobs and batches, of which each is one event, are bounded by key",
  },
  {
    what: "labels of metrics, and spans that wait for the collector",
    keptIn: ["telemetry/metrics/tallies.ts", "telemetry/metrics/stall-tallies.ts", "telemetry/traces/"],
    share: "names that callers invent have one label; a span that does not fit is left out",
    test: [`${src}/telemetry/metrics/metrics.test.ts`, "names that callers invent share one label"],
  },
  {
    what: "trials, comparisons and changes of the configuration",
    keptIn: ["app/try-upstream.ts", "app/modules/comparisons.ts", "app/configuration-changes.ts", "spaces/"],
    share: "only an operator begins one",
  },
];

/** Places that are found although keys share nothing there, by the reason. */
export const exempt: Readonly<Record<string, readonly string[]>> = {
  "It is a part of the rows, which say what it holds.": [
    "packages/runtime/src/fair-eviction.ts",
    "packages/runtime/src/shared-pool.ts",
    "packages/runtime/src/lines.ts",
    "packages/runtime/src/semaphore.ts",
    "packages/runtime/src/fair-semaphore.ts",
    "packages/scheduling/src/fair-queue.ts",
  ],
  "It belongs to one request, or to one reply, image or upload of it.": [
    "embeddings/coalescing/pending-input.ts",
    "embeddings/media/pdf-pages.ts",
    "packages/tokens/src/",
    "files/file-service.ts#FileUpload",
    "api/own-models.ts#mayNameAs",
    "execution/json/body-data-urls.ts",
    "http/request/chunk-pace.ts",
    "http/request/form-store.ts",
    "execution/json/json-body-scan.ts",
    "http/request/read-form.ts",
    "http/request/read-json.ts",
    "execution/request-lifetime.ts",
    "http/request/upload-memory.ts#FormBuffers",
    "packages/content-credentials/src/check-manifest.ts#verifyManifest",
    "images/delivery/inspect-gif.ts",
    "images/delivery/svg-scan.ts",
    "images/fetch/read-content-images.ts#readAll",
    "images/stream-images.ts#streamImages",
    "packages/client/src/",
    "packages/sketch/src/",
    "packages/providers/src/http/exchange.ts",
    "packages/providers/src/http/replies/",
    "packages/runtime/src/buffer-pool.ts#CopiedChunks",
    "packages/runtime/src/chunk-list.ts",
    "packages/runtime/src/json-tokenizer.ts",
    "packages/runtime/src/reply-buffers.ts",
    "packages/config/src/secrets/percent-encoding.ts",
    "storage/files/disk-file-store.ts",
    "storage/files/disk-file-writer.ts",
    "storage/files/s3-file-writer.ts",
    "packages/object-store/src/multipart-upload.ts",
  ],
  "It belongs to one file of a batch, or to one part of it.": [
    "batches/parse-json-line.ts",
    "batches/part-journal.ts",
    "batches/validate-file.ts",
    "batches/write-output.ts",
  ],
  "It has an entry for something in flight, which is bounded where that begins.": [
    "app/active-requests.ts",
    "packages/runtime/src/rate-watch.ts",
    "storage/database/database-watch.ts",
    "storage/images/database-locks.ts",
    "storage/images/database-response-store.ts",
    "storage/replying-thread.ts",
  ],
  "It grows with the configuration, the models and the code, and not with requests.": [
    "app/modules/usage.ts",
    "app/modules/open-modules.ts",
    "app/workers/supervisor-link.ts",
    "app/workers/worker-hub.ts",
    "packages/catalogue/src/catalogue.ts",
    "packages/catalogue/src/families.ts",
    "packages/tokens/src/tokens.ts",
    "files/file-sweep.ts",
    "keys/operator-keys.ts",
    "models/discovery.ts",
    "process/process-metrics.ts",
    "packages/providers/src/automatic1111/checkpoints.ts",
    "packages/runtime/src/code-cache.ts",
    "packages/config/src/secrets/secret-filter.ts",
    "packages/config/src/secrets/secret-matcher.ts",
    "storage/database/open-database.ts",
    "storage/history-file.ts",
    "telemetry/metrics/cluster-metrics.ts",
    "telemetry/metrics/metrics.ts",
  ],
  "An operator runs it, alone or in the console.": [
    "apps/cli/src/",
    "commands/",
    "packages/config/src/",
    "process/command-tools.ts",
  ],
};
