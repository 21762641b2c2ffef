import { expect, test } from "vitest";
import { createResultLinks } from "../dialects/jobs/result-links.js";
import { errorFromReply } from "../http/errors/upstream-errors.js";
import type { OutgoingRequest } from "../http/send.js";
import { TestCall } from "../test/call.js";
import { replyWith } from "../test/reply.js";
import { readBflError } from "./bfl.js";
import { createBflOperations } from "./images.js";

const failureOf = (status: number, body: object, headers = {}) =>
  errorFromReply({ status, headers, body: JSON.stringify(body) }, readBflError);

const invalid = (...loc: readonly string[]) => ({ detail: [{ loc, msg: "is wrong", type: "value_error" }] });

test.each([
  [402, { detail: "Insufficient credits" }, { code: "insufficient_quota", nothingBilled: true }],
  [403, { detail: "Not authenticated" }, { code: "upstream_auth_error", nothingBilled: true }],
  [404, { detail: "Not Found" }, { code: "upstream_model_missing" }],
  [404, { id: "1", status: "Task not found", result: null }, { code: "upstream_error" }],
  [422, invalid("body", "height"), { code: "upstream_rejected", param: "size", message: "is wrong" }],
  [422, invalid("body", "input_image"), { code: "upstream_rejected", param: "image" }],
  [429, { detail: "Too many" }, { code: "rate_limit_exceeded", retryAfterMs: 3000 }],
  [500, {}, { code: "upstream_error", nothingBilled: false }],
  [503, {}, { code: "upstream_unavailable" }],
])("a reply of %i with %j is read", (status, body, expected) => {
  expect(failureOf(status, body)).toMatchObject(expected);
});

test("a retry-after header counts more than the usual pause", () => {
  expect(failureOf(429, {}, { "retry-after": "7" }).retryAfterMs).toBe(7000);
});

class FluxCall extends TestCall {
  constructor() {
    super({ model: "flux-dev", facts: { variant: "sides" } });
  }
}

/** Creates an image at a service that replies with these documents in turn, the last one again and again. */
async function create(call: TestCall, ...replies: readonly object[]) {
  const sent: OutgoingRequest[] = [];
  const readLink = createResultLinks({ baseUrl: "https://api.bfl.ai/v1", hosts: ["*.bfl.ai"] });
  const operations = createBflOperations(async (request) => {
    const reply = replies[Math.min(sent.length, replies.length - 1)];
    sent.push(request);
    return replyWith(reply);
  }, readLink);
  const result = operations.createImage?.({ prompt: "a fox" }, call);
  return { result: await result?.catch((failure: unknown) => failure), sent };
}

const sample = "https://delivery-eu1.bfl.ai/results/a.png?sig=1";

test("the state is read at the link, even in another region", async () => {
  const polling_url = "https://api.eu2.bfl.ai/v1/get_result?id=1";
  const call = new FluxCall();

  const { result, sent } = await create(
    call,
    { id: "1", polling_url },
    { id: "1", status: "Pending" },
    { id: "1", status: "Generating" },
    { id: "1", status: "Ready", result: { sample } },
  );

  expect(result).toMatchObject({ images: { data: [{ url: sample }] } });
  expect(sent.map(({ method = "POST", path }) => `${method} ${path}`)).toEqual([
    "POST /flux-dev",
    `GET ${polling_url}`,
    `GET ${polling_url}`,
    `GET ${polling_url}`,
  ]);
  expect(call.waits).toEqual([500, 750]);
});

test("a job without a link is read by its id", async () => {
  const { sent } = await create(new FluxCall(), { id: "a b" }, { status: "Ready", result: { sample } });

  expect(sent[1]?.path).toBe("/get_result?id=a%20b");
});

test.each([
  [[{}]],
  [[{ id: "1" }, {}]],
  [[{ id: "1" }, { status: "Ready" }]],
  [[{ id: "1" }, { status: "Ready", result: { sample: 7 } }]],
])("replies of %j are a service failure, and something may be billed", async (replies) => {
  const call = new FluxCall();

  const { result } = await create(call, ...replies);

  expect(result).toMatchObject({ code: "upstream_invalid_reply" });
  expect(call.isCommitted).toBe(true);
});
