import type { OperationId } from "@model-gateway/domain/operations";
import { describe, expect, test } from "vitest";
import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import { checkResponse } from "./check-response.js";
import { contractGateway } from "./gateway.js";

const embeddings = contractGateway("embedding");
const images = contractGateway("image");
const dataUrl = `data:image/png;base64,${tinyPng.toString("base64")}`;

interface PaidOperation {
  readonly id: OperationId;
  readonly context: typeof embeddings;
  readonly path: string;
  readonly body: object;
  /** The same request, too large for a limit of two tokens or one image. */
  readonly large: object;
}

const paid: readonly PaidOperation[] = [
  {
    id: "createEmbedding",
    context: embeddings,
    path: "/v1/embeddings",
    body: { model: "good", input: "a" },
    large: { input: "a".repeat(100) },
  },
  {
    id: "createEmbeddingLegacy",
    context: embeddings,
    path: "/v1/engines/good/embeddings",
    body: { input: "a" },
    large: { input: "a".repeat(100) },
  },
  {
    id: "createImage",
    context: images,
    path: "/v1/images/generations",
    body: { model: "image", prompt: "a fox" },
    large: { n: 2 },
  },
  {
    id: "createImageEdit",
    context: images,
    path: "/v1/images/edits",
    body: { model: "image", prompt: "a fox", images: [{ image_url: dataUrl }] },
    large: { n: 2 },
  },
];

describe.each(paid)("$id", ({ id, context, path, body, large }) => {
  test("200 and 429 report the rest of every limit", async () => {
    const key = await context.limited({ requests_per_minute: 1, tokens_per_day: 1000, images_per_day: 10 });

    const first = await context.gateway.sendJson(path, body, key);
    const second = await context.gateway.sendJson(path, body, key);

    for (const response of [first, second]) await checkResponse(id, response);
    expect([first.status, second.status]).toEqual([200, 429]);
    for (const response of [first, second]) {
      expect(rateLimits(response)).toEqual({
        "x-ratelimit-limit-requests": "1",
        "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-reset-requests": expect.any(String),
        "x-ratelimit-limit-tokens": "1000",
        "x-ratelimit-remaining-tokens": expect.any(String),
        "x-ratelimit-reset-tokens": expect.any(String),
        "x-ratelimit-limit-images": "10",
        "x-ratelimit-remaining-images": expect.any(String),
        "x-ratelimit-reset-images": expect.any(String),
      });
    }
    expect(second.headers.get("retry-after")).not.toBeNull();
  });

  test("429: a request that alone exceeds a limit is not worth a retry", async () => {
    const key = await context.limited({ tokens_per_minute: 2, images_per_minute: 1 });

    const response = await context.gateway.sendJson(path, { ...body, ...large }, key);

    await checkResponse(id, response);
    expect(response.status).toBe(429);
    expect([response.headers.get("retry-after"), response.headers.get("x-should-retry")]).toEqual([
      null,
      "false",
    ]);
  });
});

describe.each(paid)("$id with a budget", ({ id, context, path, body }) => {
  test("200 and 429 report its rest, and a key without a budget gets no such header", async () => {
    const key = await context.budgeted({ usd: 0.26, per: "month" });
    const without = await context.limited({ requests_per_minute: 1 });
    const costCents = id.startsWith("createEmbedding") ? 1 : 25;

    const responses: Response[] = [];
    do responses.push(await context.gateway.sendJson(path, body, key));
    while (responses.at(-1)?.status === 200 && responses.length < 40);
    const other = await context.gateway.sendJson(path, body, without);

    for (const response of responses) await checkResponse(id, response);
    const left = responses.map(({ headers }) => Number(headers.get("x-gateway-budget-remaining")));
    const passed = Math.floor(26 / costCents);
    expect(responses.map(({ status }) => status)).toEqual([...Array(passed).fill(200), 429]);
    expect(left).toEqual(
      [...Array(passed).keys(), passed - 1].map((index) => (26 - (index + 1) * costCents) / 100),
    );
    expect(other.status).toBe(200);
    expect([...other.headers.keys()].filter((name) => name.includes("budget"))).toEqual([]);
    const exposed = other.headers.get("access-control-expose-headers")?.split(", ");
    expect(exposed).toEqual(expect.arrayContaining(["x-gateway-budget-remaining", "x-gateway-budget-reset"]));
  });
});

test("a browser may read every rate limit header", async () => {
  const key = await embeddings.limited({ requests_per_minute: 9, tokens_per_day: 1000, images_per_day: 10 });

  const response = await embeddings.gateway.sendJson("/v1/embeddings", { model: "good", input: "a" }, key);

  const exposed = response.headers.get("access-control-expose-headers")?.split(", ");
  expect(exposed).toEqual(expect.arrayContaining(Object.keys(rateLimits(response))));
});

function rateLimits(response: Response): Record<string, string> {
  return Object.fromEntries([...response.headers].filter(([name]) => name.startsWith("x-ratelimit-")));
}
