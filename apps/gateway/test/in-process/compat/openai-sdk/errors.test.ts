import {
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  type OpenAI,
  RateLimitError,
} from "openai";
import { expect, test } from "vitest";
import { clientOf, relayingGateway } from "./gateways.js";

const relaying = relayingGateway();
const embed = (model: string) => (client: OpenAI) => client.embeddings.create({ model, input: "a text" });
const draw = (options: object) => (client: OpenAI) =>
  client.images.generate({ model: "image", prompt: "a fox", ...options });

const failures = [
  {
    name: "an unknown model is a NotFoundError",
    send: embed("nope"),
    thrown: NotFoundError,
    error: { status: 404, code: "model_not_found", param: null, type: "invalid_request_error" },
  },
  {
    name: "an unknown model to look up is a NotFoundError",
    send: (client: OpenAI) => client.models.retrieve("org/nope"),
    thrown: NotFoundError,
    error: { status: 404, code: "model_not_found", param: "model", type: "invalid_request_error" },
  },
  {
    name: "a parameter that does not exist is a BadRequestError that names it",
    send: draw({ sampler: 1 }),
    thrown: BadRequestError,
    error: { status: 400, code: "unknown_parameter", param: "sampler", type: "invalid_request_error" },
  },
  {
    name: "an empty input is a BadRequestError that names it",
    send: (client: OpenAI) => client.embeddings.create({ model: "good", input: "" }),
    thrown: BadRequestError,
    error: { status: 400, code: "empty_string", param: "input", type: "invalid_request_error" },
  },
  {
    name: "a refusal by the upstream's moderation is a BadRequestError",
    send: draw({ model: "moderated" }),
    thrown: BadRequestError,
    error: { status: 400, code: "moderation_blocked", param: null, type: "image_generation_user_error" },
  },
  {
    name: "a bad option of a stream is a BadRequestError before the first event",
    send: draw({ stream: true, size: "big" }),
    thrown: BadRequestError,
    error: { status: 400, code: "invalid_value", param: "size", type: "invalid_request_error" },
  },
  {
    name: "a throttled upstream is a RateLimitError",
    send: embed("status-429"),
    thrown: RateLimitError,
    error: { status: 429, code: "rate_limit_exceeded", param: null, type: "rate_limit_error" },
  },
  {
    name: "a failing upstream is an InternalServerError",
    send: embed("status-500"),
    thrown: InternalServerError,
    error: { status: 502, code: "upstream_error", param: null, type: "server_error" },
  },
  {
    name: "an overloaded upstream is an InternalServerError",
    send: embed("status-503"),
    thrown: InternalServerError,
    error: { status: 503, code: "upstream_unavailable", param: null, type: "service_unavailable_error" },
  },
  {
    name: "an upstream that does not reply is an InternalServerError",
    send: embed("hasty"),
    thrown: InternalServerError,
    error: { status: 504, code: "upstream_timeout", param: null, type: "server_error" },
  },
];

for (const { name, send, thrown, error } of failures) {
  test(name, async () => {
    const failure = await rejection(send(relaying.client));

    expect(failure).toBeInstanceOf(thrown);
    expect(failure).toMatchObject({ ...error, requestID: expect.stringMatching(/^req_[0-9a-f]{32}$/) });
  });
}

test("a wrong key is an AuthenticationError", async () => {
  const unknown = clientOf(relaying.gateway, "not-a-key");

  const failure = await rejection(unknown.models.list());

  expect(failure).toBeInstanceOf(AuthenticationError);
  expect(failure).toMatchObject({
    status: 401,
    code: "invalid_api_key",
    type: "invalid_request_error",
    param: null,
  });
});

test("a RateLimitError says how long to wait, as the upstream said", async () => {
  const failure = await rejection(embed("status-429")(relaying.client));

  // The remaining time: some of the seven seconds may have passed.
  expect((failure as RateLimitError).headers?.get("retry-after")).toMatch(/^[1-7]$/);
});

test("the SDK does not retry hopeless requests", async () => {
  const patient = relaying.client.withOptions({ maxRetries: 2 });
  const before = relaying.upstream.received.length;

  await rejection(draw({ model: "moderated" })(patient));

  expect(relaying.upstream.received.length - before).toBe(1);
});

test("a call that its caller aborts is aborted at the upstream", async () => {
  const departure = new AbortController();
  const { received, seen } = relaying.upstream;
  const before = { received: received.length, abandoned: seen().abandoned };

  const failure = rejection(
    relaying.client.embeddings.create({ model: "stall", input: "a text" }, { signal: departure.signal }),
  );
  await expect.poll(() => received.length).toBe(before.received + 1);
  departure.abort();

  expect(await failure).toBeInstanceOf(APIUserAbortError);
  await expect.poll(() => seen().abandoned).toBe(before.abandoned + 1);
});

test("a stream that its reader leaves is closed at the upstream", async () => {
  const { seen } = relaying.upstream;
  const before = seen().abandoned;
  const stream = await relaying.client.images.generate({
    model: "stall-before-end",
    prompt: "a fox",
    stream: true,
    partial_images: 1,
  });

  for await (const event of stream) {
    expect(event.type).toBe("image_generation.partial_image");
    break;
  }

  await expect.poll(() => seen().abandoned).toBe(before + 1);
});

async function rejection(promise: PromiseLike<unknown>): Promise<unknown> {
  return Promise.resolve(promise).then(
    () => expect.unreachable("The call succeeded."),
    (failure: unknown) => failure,
  );
}
