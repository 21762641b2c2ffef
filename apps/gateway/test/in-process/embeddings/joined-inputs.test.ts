import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { vectorOf } from "../../fake-upstream/vectors.mjs";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";

const always = { width: 8 };
let upstream: FakeUpstream;
let gateway: InProcessGateway;

beforeEach(async () => {
  upstream = await startFakeUpstream({ script: { always } });
  gateway = await startGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  one-by-one: { type: embedding, dimensions: 8, targets: [{ upstream: fake, model: m, maxInputs: 1 }] }
  shared: { type: embedding, dimensions: 8, targets: [{ upstream: fake, model: m }] }
  joined: { type: embedding, dimensions: 8, coalesce: { windowMs: 1000 }, targets: [{ upstream: fake, model: m }] }`);
});
afterEach(async () => {
  await gateway.stop();
  await upstream.close();
});

test("an input is fetched again when its batch has a reply, while its first request waits for another", async () => {
  // Two calls, of which one gets a reply and one is held.
  upstream.follow({ always, next: [{}, { isHeld: true }] });
  const waiting = embed({ model: "one-by-one", input: ["a", "b"] });
  await expect.poll(() => upstream.seen()).toMatchObject({ requests: 2, inFlight: 1 });
  const answered = upstream.received.find(({ status }) => status === 200)?.body.input;
  // A later call comes back later, so the gateway has the first reply by then.
  expect((await embed({ model: "one-by-one", input: "c" })).status).toBe(200);
  expect(gateway.inFlight()).toBe(1);

  const [input] = answered as [string];
  // Without a response in this time it hangs.
  const late = await embed({ model: "one-by-one", input }, { "x-gateway-timeout-ms": "30000" });

  expect(late.status).toBe(200);
  expect(await late.json()).toMatchObject({ data: [{ embedding: vectorOf(input, 8) }] });
  expect(upstream.seen()).toMatchObject({ requests: 4, inFlight: 1 });
  upstream.follow({ always });
  expect((await waiting).status).toBe(200);
});

test.each(["shared", "joined"])(
  "requests with different users never share an upstream call (%s)",
  async (model) => {
    upstream.follow({ always: { ...always, isHeld: true } });
    const users = ["one", "two", undefined];

    const sent = users.map((user) => embed({ model, input: "the same", user }));
    await expect.poll(() => upstream.seen().inFlight).toBe(users.length);
    upstream.follow({ always });

    const responses = await Promise.all(sent);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(upstream.received.map(({ body }) => body.user))).toEqual(new Set(users));
  },
);

function embed(body: object, headers: Record<string, string> = {}): Promise<Response> {
  return gateway.sendJson("/v1/embeddings", body, { headers });
}
