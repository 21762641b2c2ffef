import { expect } from "vitest";
import { testKey } from "../../../gateway/test-gateway.js";
import type { AdminGateway } from "../admin-gateway.js";
import { type AskModel, aliasCases } from "../alias-cases.js";
import { type ContractCase, saysError } from "../contract.js";
import type { ContractGateway } from "../gateway.js";
import { withoutKeyCases } from "../own/own-cases.js";
import { addJob, runJob, unknownJob } from "./job-gateway.js";

type Cases = readonly [ContractCase, ...ContractCase[]];

const limits = { requests_per_minute: 1, tokens_per_day: 1000, images_per_day: 10 };

export interface AsyncOptions {
  readonly context: ContractGateway;
  readonly path: string;
  /** Sends a request for a model to the path. */
  readonly ask: AskModel;
  /** A request that is valid, without its model. */
  readonly body: object;
}

/** The requirements for every path that creates jobs in Bifrost's form. */
export function createAsyncCases({ context, path, ask, body }: AsyncOptions) {
  const alias = aliasCases({ context, ask, says: saysError });
  return {
    202: [
      {
        name: "a job, in Bifrost's form",
        send: ask("good", {}, { headers: { "x-gateway-priority": "bulk" } }),
        expect: (body) =>
          expect(body).toEqual({
            id: expect.stringMatching(/^job_[0-9a-f]{32}$/),
            status: "pending",
            created_at: expect.stringMatching(/^\d{4}-.*Z$/),
            expires_at: expect.stringMatching(/^\d{4}-.*Z$/),
          }),
      },
    ],
    400: [
      {
        name: "no prompt",
        send: ask("good", { prompt: undefined }),
        expect: saysError("missing_required_parameter", "prompt"),
      },
      {
        name: "a parameter of other models",
        send: ask("good", { seed: 1 }),
        expect: saysError("unsupported_parameter", "seed"),
      },
      {
        name: "a stream, which a job cannot have",
        send: ask("good", { stream: true }),
        expect: saysError("invalid_value", "stream"),
      },
    ],
    401: alias[401],
    403: alias[403],
    404: alias[404],
    409: [
      {
        name: "an Idempotency-Key with another body",
        send: async () => {
          const init = { headers: { "idempotency-key": "taken" } };
          await ask("good", { prompt: "one" }, init)();
          return ask("good", { prompt: "two" }, init)();
        },
        expect: saysError("idempotency_conflict"),
      },
    ],
    413: alias[413],
    415: alias[415],
    429: [
      {
        name: "a key over its limit of requests",
        send: async () => {
          const { headers } = await context.limited(limits);
          const served = path.replace("/async", "");
          await context.gateway.sendJson(served, { model: "good", ...body }, { headers });
          return ask("good", {}, { headers: { ...headers, "x-gateway-priority": "bulk" } })();
        },
        expect: saysError("rate_limit_exceeded"),
      },
      {
        name: "a key whose budget is too small",
        send: async () => ask("good", {}, await context.budgeted({ usd: 0.01, per: "month" }))(),
        expect: saysError("insufficient_quota"),
      },
    ],
    500: [
      {
        name: "a bug",
        send: () => context.sendWithoutStorage(path, "faulty", "POST"),
        expect: saysError("internal_error"),
      },
    ],
    503: [
      {
        name: "the database is down",
        send: () => context.sendWithoutStorage(path, "unavailable", "POST"),
        expect: saysError("storage_unavailable"),
      },
    ],
  } as const satisfies Record<number, Cases>;
}

/** The requirements for every path that retrieves such a job. */
export function retrieveAsyncCases(context: AdminGateway, path: string) {
  const ask = (id: string) => context.send(`${path}/${id}`, { key: testKey });
  const without = withoutKeyCases(context, `${path}/${unknownJob}`);
  return {
    ...without,
    200: [
      {
        name: "a job that is complete, with its result",
        send: async () => ask((await runJob(context)).id),
        expect: (body) =>
          expect(body).toMatchObject({
            status: "completed",
            status_code: 200,
            result: { data: [{ b64_json: expect.stringMatching(/^iVBORw0KGgo/) }] },
          }),
      },
      {
        name: "a job whose response is not stored any more",
        send: async () => ask((await addJob(context)).id),
        expect: (body) =>
          expect(body).toMatchObject({
            status: "failed",
            error: { status_code: 409, error: { code: "idempotency_outcome_unknown" } },
          }),
      },
    ],
    202: [
      {
        name: "a job that runs",
        send: async () => ask((await addJob(context, { status: "in_progress" })).id),
        expect: (body) => expect(body.status).toBe("processing"),
      },
    ],
    400: [
      ...without[400],
      { name: "a broken percent sign", send: () => ask("a%ZZ"), expect: saysError("invalid_url") },
    ],
    404: [
      {
        name: "another key's job",
        send: async () => ask((await addJob(context, { keyId: "config:other" })).id),
        expect: saysError("job_not_found", "job"),
      },
    ],
  } as const satisfies Record<number, Cases>;
}
