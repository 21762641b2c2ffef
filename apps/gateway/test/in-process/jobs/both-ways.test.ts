import type { Schemas } from "@model-gateway/domain/operations";
import { describe, expect, test } from "vitest";
import type { InProcessGateway } from "../../gateway/in-process.js";
import { testKey } from "../../gateway/test-gateway.js";
import { checkResponse } from "../contract/check-response.js";
import type { ContractCase } from "../contract/contract.js";
import { createImageCases } from "../contract/create-image-cases.js";
import { createImageEditCases } from "../contract/create-image-edit-cases.js";
import { type ContractGateway, contractGateway } from "../contract/gateway.js";

const context = contractGateway("image");

/** Jobs have them, as their progress. */
const onlyInJobs = "partial images without a stream have no effect";

/** The ids of the jobs so far. */
const seen = new Set<string>();

/** The same gateway, whose image requests run as jobs. Their responses are those that the requests would have had. */
const byJobs: ContractGateway = {
  restricted: context.restricted,
  limited: context.limited,
  budgeted: context.budgeted,
  bulk: context.bulk,
  sendWithoutStorage: context.sendWithoutStorage,
  broken: context.broken,
  get upstream() {
    return context.upstream;
  },
  get gateway(): InProcessGateway {
    const { gateway } = context;
    const readJob = async (sending: Promise<Response>, init: RequestInit | undefined) => {
      const accepted = await sending;
      if (accepted.status !== 202) return accepted;
      const { id } = (await accepted.json()) as Schemas["Job"];
      const authorization = new Headers(init?.headers).get("authorization") ?? `Bearer ${testKey}`;
      await gateway.send(`/v1/jobs/${id}`, { headers: { authorization, prefer: "wait=60" } });
      const response = await gateway.send(`/v1/async/images/generations/${id}`, {
        headers: { authorization },
      });
      const { status_code: status = 0, result, error } = (await response.json()) as Schemas["AsyncImageJob"];
      const headers = new Headers(
        [...accepted.headers].filter(([name]) => /^(x-request-id|access-control-)/.test(name)),
      );
      // A job has no headers of its run. These follow from its status, and from being the same job again.
      if (status === 400) headers.set("x-should-retry", "false");
      if (seen.has(id)) headers.set("idempotent-replayed", "true");
      seen.add(id);
      return Response.json(result ?? { error: error?.error }, { status, headers });
    };
    return {
      ...gateway,
      send: (path, init) => readJob(gateway.send(path, asJob(init)), init),
      sendJson: (path, body, init) => readJob(gateway.sendJson(path, body, asJob(init)), init),
    };
  },
};

function asJob(init: RequestInit = {}): RequestInit {
  return { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), prefer: "respond-async" } };
}

describe.each([
  ["createImage", createImageCases(byJobs)],
  ["createImageEdit", createImageEditCases(byJobs)],
] as const)("the contract of %s holds for jobs", (operation, cases) => {
  /** Requests that no job can have. Each is refused as such. */
  const streams: string[] = [];

  for (const [status, list] of Object.entries<readonly ContractCase[]>(cases)) {
    for (const one of list) {
      test(`${status}: ${one.name}`, async () => {
        const response = await one.send();
        const body = await checkResponse(operation, response);

        if (/ a job cannot be streamed/.test(body.error?.message)) {
          streams.push(one.name);
          return;
        }
        expect(response.status, JSON.stringify(body).slice(0, 500)).toBe(Number(status));
        if (one.name !== onlyInJobs) one.expect?.(body, response);
      });
    }
  }

  test("only streams were refused", () => {
    expect(streams.filter((name) => !/stream|event|partial/.test(name))).toEqual([]);
  });
});
