import type { UsageLimits } from "@model-gateway/domain/access-key";
import { GatewayError } from "@model-gateway/domain/errors";
import { afterEach, expect, test } from "vitest";
import type { AdmittedRequest, Amounts, LimitSubject } from "../../../src/limits/limits.js";
import { describeOnEveryStage, type LimitsStage } from "./limits-stages.js";

const key = (limits: UsageLimits): LimitSubject => ({ name: "key", id: "key_1", limits });
const model = (limits: UsageLimits): LimitSubject => ({ name: "model", id: "gte-small", limits });
const nothing: Amounts = { tokens: 0, images: 0 };
const tokens = (count: number): Amounts => ({ tokens: count, images: 0 });
const images = (count: number): Amounts => ({ tokens: 0, images: count });

describeOnEveryStage("limits", (open) => {
  let stage: LimitsStage | undefined;
  const openStage = async (start?: string) => {
    const opened = await open(start);
    stage = opened;
    const admit = async (subjects: LimitSubject[], estimate = nothing): Promise<AdmittedRequest> =>
      opened.limits.admit(subjects, estimate);
    const refusal = async (subjects: LimitSubject[], estimate = nothing) => {
      try {
        await admit(subjects, estimate);
      } catch (failure) {
        if (failure instanceof GatewayError) return failure;
        throw failure;
      }
      throw new Error("The request was admitted.");
    };
    return { ...opened, admit, refusal };
  };
  afterEach(async () => {
    await stage?.close();
    stage = undefined;
  });

  test("a request without limits is admitted", async () => {
    const { limits } = await openStage();

    const admitted = await limits.admit(
      [key({}), { name: "model", id: "m", limits: undefined }],
      tokens(1e9),
    );

    expect(admitted.headers()).toEqual({});
  });

  test("a request that is taken back leaves every limit as it was", async () => {
    const { admit, refusal } = await openStage();
    const subjects = [key({ requestsPerMinute: 1, imagesPerDay: 2, maxConcurrency: 1 })];

    const checked = await admit(subjects, images(2));
    checked.settle({ requests: 0, tokens: 0, images: 0 });
    checked.release();
    // The correction is on its way to other replicas.
    await expect.poll(() => admit(subjects, images(2)).then(() => true)).toBe(true);

    expect((await refusal(subjects, images(1))).status).toBe(429);
  });

  test("a request that runs later is checked against rates alone", async () => {
    const { admit, limits, refusal } = await openStage();
    const subjects = [key({ requestsPerMinute: 2, maxConcurrency: 1 })];
    await admit(subjects);
    expect((await refusal(subjects)).message).toContain("concurrent");

    const checked = await limits.admit(subjects, nothing, "rates");

    await expect(limits.admit(subjects, nothing, "rates")).rejects.toMatchObject({ status: 429 });
    checked.settle({ requests: 0, tokens: 0, images: 0 });
    checked.release();
  });

  test("100 of 100 requests a minute pass, the next is refused, and one passes a minute after the first", async () => {
    const { admit, refusal, clock } = await openStage();
    const subjects = [key({ requestsPerMinute: 100 })];

    for (let index = 0; index < 100; index += 1) {
      await admit(subjects);
      clock.advance(100);
    }
    const { status, code, message, retryAfterMs, headers } = await refusal(subjects);
    clock.advance(49_999);
    const later = await refusal(subjects);
    clock.advance(1);
    const admitted = await admit(subjects);

    expect({ status, code, message, retryAfterMs, headers }).toEqual({
      status: 429,
      code: "rate_limit_exceeded",
      message:
        "Rate limit reached for this key on requests per min (RPM): Limit 100, Used 100, Requested 1. Please try again in 50s.",
      retryAfterMs: 50_000,
      headers: {
        "x-ratelimit-limit-requests": "100",
        "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-reset-requests": "50s",
      },
    });
    expect(later.retryAfterMs).toBe(1);
    expect(admitted.headers()).toEqual({
      "x-ratelimit-limit-requests": "100",
      "x-ratelimit-remaining-requests": "99",
      "x-ratelimit-reset-requests": "1m0s",
    });
  });

  test("a day is a UTC day, and clients must not retry before the next", async () => {
    const { admit, refusal, clock } = await openStage("2036-11-15T22:30:00Z");
    const subjects = [key({ requestsPerDay: 1 })];

    await admit(subjects);
    const { message, retryAfterMs, headers } = await refusal(subjects);
    clock.advance(90 * 60_000);
    await admit(subjects);

    expect({ message, retryAfterMs, headers }).toEqual({
      message:
        "Rate limit reached for this key on requests per day (RPD): Limit 1, Used 1, Requested 1. Please try again in 1h30m0s.",
      retryAfterMs: 5_400_000,
      headers: {
        "x-ratelimit-limit-requests": "1",
        "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-reset-requests": "1h30m0s",
        "x-should-retry": "false",
      },
    });
  });

  test("tokens are reserved by estimate, and the unused rest is returned", async () => {
    const { admit, refusal } = await openStage();
    const subjects = [key({ tokensPerMinute: 1000 })];

    const first = await admit(subjects, tokens(900));
    const { message } = await refusal(subjects, tokens(200));
    first.settle(tokens(800));
    const second = await admit(subjects, tokens(200));

    expect(message).toBe(
      "Rate limit reached for this key on tokens per min (TPM): Limit 1000, Used 900, Requested 200. Please try again in 1m0s.",
    );
    expect(second.headers()).toEqual({
      "x-ratelimit-limit-tokens": "1000",
      "x-ratelimit-remaining-tokens": "0",
      "x-ratelimit-reset-tokens": "1m0s",
    });
  });

  test("usage beyond the estimate is charged, even past the limit", async () => {
    const { admit, refusal } = await openStage();
    const subjects = [key({ tokensPerMinute: 1000 })];

    const first = await admit(subjects, tokens(10));
    first.settle(tokens(1500));
    const { message } = await refusal(subjects, tokens(1));

    expect(first.headers()["x-ratelimit-remaining-tokens"]).toBe("0");
    expect(message).toContain("Limit 1000, Used 1500, Requested 1.");
  });

  test("only the first settlement counts", async () => {
    const { admit } = await openStage();
    const subjects = [key({ tokensPerMinute: 1000 })];

    const first = await admit(subjects, tokens(500));
    first.settle(tokens(100));
    first.settle(tokens(0));
    const second = await admit(subjects, tokens(0));

    expect(second.headers()["x-ratelimit-remaining-tokens"]).toBe("900");
  });

  test("a refund after its minute is over gives no credit for the next minute", async () => {
    const { admit, clock } = await openStage();
    const subjects = [key({ tokensPerMinute: 1000 })];

    const slow = await admit(subjects, tokens(1000));
    clock.advance(90_000);
    const next = await admit(subjects, tokens(400));
    slow.settle(tokens(0));
    const last = await admit(subjects, tokens(0));

    expect(next.headers()["x-ratelimit-remaining-tokens"]).toBe("600");
    expect(last.headers()["x-ratelimit-remaining-tokens"]).toBe("600");
  });

  test("a charge after its minute is over goes to the current minute", async () => {
    const { admit, clock } = await openStage();
    const subjects = [key({ tokensPerMinute: 1000 })];

    const slow = await admit(subjects, tokens(10));
    clock.advance(90_000);
    slow.settle(tokens(700));
    const next = await admit(subjects, tokens(0));

    expect(next.headers()["x-ratelimit-remaining-tokens"]).toBe("310");
  });

  test("a request that one limit refuses takes nothing from the others", async () => {
    const { admit, refusal } = await openStage();
    const subjects = [
      key({ requestsPerMinute: 5, tokensPerDay: 100, maxConcurrency: 5 }),
      model({ tokensPerMinute: 50 }),
    ];

    await admit(subjects, tokens(30));
    const { message, headers } = await refusal(subjects, tokens(30));
    const admitted = await admit(subjects, tokens(20));

    expect(message).toBe(
      "Rate limit reached for the model 'gte-small' on tokens per min (TPM): Limit 50, Used 30, Requested 30. Please try again in 1m0s.",
    );
    expect(headers).toEqual({
      "x-ratelimit-limit-requests": "5",
      "x-ratelimit-remaining-requests": "4",
      "x-ratelimit-reset-requests": "1m0s",
      "x-ratelimit-limit-tokens": "50",
      "x-ratelimit-remaining-tokens": "20",
      "x-ratelimit-reset-tokens": "1m0s",
    });
    expect(admitted.headers()["x-ratelimit-remaining-requests"]).toBe("3");
  });

  test("a request larger than the limit itself can never succeed", async () => {
    const { refusal, admit } = await openStage();
    const subjects = [key({ tokensPerMinute: 100, requestsPerMinute: 1 })];

    await admit(subjects, tokens(1));
    const { status, message, retryAfterMs, headers } = await refusal(subjects, tokens(101));

    expect({ status, message, retryAfterMs, retry: headers["x-should-retry"] }).toEqual({
      status: 429,
      message:
        "Request too large for this key on tokens per min (TPM): Limit 100, Requested 101. The request alone exceeds the limit and can never succeed. Send a smaller one.",
      retryAfterMs: undefined,
      retry: "false",
    });
  });

  test("images count as images, and an exhausted image limit does not refuse embeddings", async () => {
    const { admit, refusal } = await openStage();
    const subjects = [key({ imagesPerMinute: 4 })];

    const first = await admit(subjects, images(4));
    const { message } = await refusal(subjects, images(1));
    await admit(subjects, tokens(100));
    first.settle(images(3));
    const second = await admit(subjects, images(1));

    expect(message).toContain("on images per min (IPM): Limit 4, Used 4, Requested 1.");
    expect(second.headers()).toEqual({
      "x-ratelimit-limit-images": "4",
      "x-ratelimit-remaining-images": "0",
      "x-ratelimit-reset-images": "1m0s",
    });
  });

  test("concurrent requests are limited, and only the first release counts", async () => {
    const { admit, refusal } = await openStage();
    const subjects = [model({ maxConcurrency: 2 })];

    const [first] = [await admit(subjects), await admit(subjects)];
    const { message, retryAfterMs, headers } = await refusal(subjects);
    first?.release();
    first?.release();
    await admit(subjects);
    const again = await refusal(subjects);

    expect({ message, retryAfterMs, headers }).toEqual({
      message:
        "Rate limit reached for the model 'gte-small' on concurrent requests: Limit 2. Please try again in 1s.",
      retryAfterMs: 1000,
      headers: {},
    });
    expect(again.message).toBe(message);
  });

  test("a refused request starts no minute", async () => {
    const { admit, refusal, clock } = await openStage();
    const subjects = [key({ tokensPerMinute: 100, maxConcurrency: 1 })];

    const slow = await admit(subjects, tokens(0));
    clock.advance(60_000);
    await refusal(subjects);
    clock.advance(40_000);
    slow.settle(tokens(1));
    clock.advance(30_000);

    // The minute started when the token was charged, half a minute ago.
    expect(slow.headers()).toMatchObject({
      "x-ratelimit-remaining-tokens": "99",
      "x-ratelimit-reset-tokens": "30s",
    });
  });

  test("the error names the limit that refuses the request longest", async () => {
    const { admit, refusal, clock } = await openStage();
    const subjects = [key({ requestsPerMinute: 1, maxConcurrency: 1, requestsPerDay: 1 })];

    await admit(subjects);
    clock.advance(1000);
    const { retryAfterMs } = await refusal(subjects);

    expect(retryAfterMs).toBe(12 * 3_600_000 - 1000);
  });

  test("the headers show the limit with the least left, of the key or the model", async () => {
    const { admit } = await openStage("2036-11-15T23:59:58.500Z");

    const admitted = await admit(
      [
        key({ requestsPerMinute: 10, requestsPerDay: 3, tokensPerMinute: 50 }),
        model({ tokensPerMinute: 1000, tokensPerDay: 40 }),
      ],
      tokens(12),
    );

    expect(admitted.headers()).toEqual({
      "x-ratelimit-limit-requests": "3",
      "x-ratelimit-remaining-requests": "2",
      "x-ratelimit-reset-requests": "1.5s",
      "x-ratelimit-limit-tokens": "40",
      "x-ratelimit-remaining-tokens": "28",
      "x-ratelimit-reset-tokens": "1.5s",
    });
  });

  test("a changed limit takes effect at once, and keeps earlier usage", async () => {
    const { admit, refusal } = await openStage();

    const slow = await admit([key({ requestsPerMinute: 5, maxConcurrency: 1 })]);
    await admit([key({ requestsPerMinute: 5 })]);
    const { message } = await refusal([key({ requestsPerMinute: 2 })]);
    slow.release();
    await admit([key({ requestsPerMinute: 3, maxConcurrency: 2 })]);

    expect(message).toContain("Limit 2, Used 2, Requested 1.");
  });

  test("a key and a model with the same name are counted apart", async () => {
    const { admit, refusal } = await openStage();
    const limits = { requestsPerMinute: 1 };

    await admit([{ name: "key", id: "same", limits }]);
    await admit([{ name: "model", id: "same", limits }]);
    const { message } = await refusal([{ name: "model", id: "same", limits }]);

    expect(message).toContain("the model 'same'");
  });
});
