import { randomBytes } from "node:crypto";
import { newOrderedId } from "@model-gateway/runtime/new-id";
import { expect } from "vitest";
import type { Job, JobWithRequest } from "../../../../src/jobs/job.js";
import { openDatabase } from "../../../../src/storage/database/open-database.js";
import type { Tables } from "../../../../src/storage/database/schema/tables.js";
import { rowOf } from "../../../../src/storage/jobs/job-rows.js";
import { testKey } from "../../../gateway/test-gateway.js";
import type { AdminGateway } from "../admin-gateway.js";
import { bodyOf, type ContractCase, saysError } from "../contract.js";

export const unknownJob = "job_00000000000000000000000000000000";

type Status = "in_progress" | "completed" | "cancelled";

/** Stores a job that no gateway runs: it has ended, or another gateway has its lease. */
export async function addJob(
  context: AdminGateway,
  { status = "completed", ...fields }: Partial<Job> & { readonly status?: Status } = {},
): Promise<Pick<Job, "id">> {
  const createdAt = Date.now();
  const id = newOrderedId("job_", createdAt);
  const job: JobWithRequest = {
    id,
    keyId: "config:tester",
    operation: "createImage",
    model: "far",
    status,
    requestId: `req_${randomBytes(16).toString("hex")}`,
    scope: randomBytes(32).toString("hex"),
    fingerprint: "f",
    createdAt,
    expiresAt: createdAt + 86_400_000,
    request: {
      body: {},
      contentType: "application/json",
      bytes: 2,
      headers: {},
      origin: context.gateway.url,
      inputs: [],
    },
    ...fields,
  };
  const database = await openDatabase({ dataDir: context.storage.dataDir(), onFailure: () => undefined });
  await database.kysely
    .insertInto("jobs")
    .values({ ...rowOf(job), ...stateOf(status) })
    .execute();
  await database.close();
  return { id };
}

function stateOf(status: Status): Partial<Tables["jobs"]> {
  if (status !== "in_progress") return { state: "done", outcome: status };
  return { state: "running", holder: "another", lease_until: Date.now() + 86_400_000 };
}

/** Creates a job, and waits for its end. */
export async function runJob(context: AdminGateway, key = testKey): Promise<{ readonly id: string }> {
  const json = { model: "sketch", prompt: "a fox" };
  const headers = { prefer: "respond-async" };
  const created = await context.send("/v1/images/generations", { method: "POST", key, json, headers });
  const { id } = await bodyOf(created);
  await context.send(`/v1/jobs/${id}`, { key, headers: { prefer: "wait=60" } });
  return { id };
}

/** The configuration of these tests, with a model that creates images at once. */
export function withSketch(yaml: string): string {
  return `${yaml}  sketch: { type: image, profile: sketch, targets: [{ upstream: local, model: local-sketch }] }\n`;
}

/** The responses to ids that are not a job of the caller. */
export function notFoundCases(
  context: AdminGateway,
  ask: (id: string) => Promise<Response>,
): readonly [ContractCase, ...ContractCase[]] {
  return [
    {
      name: "another key's job, as one that does not exist",
      send: async () => {
        const { id: keyId } = await context.createKey();
        const { id } = await addJob(context, { keyId });
        const [others, none] = await Promise.all(
          [id, unknownJob].map(async (one) =>
            (await bodyOf(await ask(one))).error.message.replace(/job_\w+/, "it"),
          ),
        );
        expect(others).toBe(none);
        return ask(id);
      },
      expect: saysError("job_not_found", "job"),
    },
    {
      name: "a job that has expired",
      send: async () => ask((await addJob(context, { expiresAt: 1 })).id),
      expect: saysError("job_not_found", "job"),
    },
    { name: "an id with a zero byte", send: () => ask("job_%00"), expect: saysError("job_not_found", "job") },
  ];
}
