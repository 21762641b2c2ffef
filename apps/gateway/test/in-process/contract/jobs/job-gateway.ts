import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import type { Job, JobWithRequest } from "../../../../src/jobs/job.js";
import { testKey } from "../../../gateway/test-gateway.js";
import type { AdminGateway } from "../admin-gateway.js";
import { bodyOf, type ContractCase, saysError } from "../contract.js";

export const unknownJob = "job_00000000000000000000000000000000";

/** Stores a job that no gateway runs: it is not due yet. */
export async function addJob(context: AdminGateway, fields: Partial<Job> = {}): Promise<Job> {
  const createdAt = Date.now();
  const id = `job_${randomBytes(16).toString("hex")}`;
  const job: JobWithRequest = {
    id,
    keyId: "config:tester",
    operation: "createImage",
    model: "far",
    status: "completed",
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
  const created = await context.storage.storage().jobs.create(job);
  return created.job;
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
