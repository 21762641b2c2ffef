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

test.each([
  ["passes on the JSON of its upstream if all requests want JSON", "float", undefined],
  ["asks for base64 if one of them wants it", "base64", "base64"],
] as const)("a joined call %s", async (_name, encoding_format, sent) => {
  const inputs = ["one", "two", "three"];

  const responses = await Promise.all([
    embed({ model: "joined", input: inputs[0] }),
    embed({ model: "joined", input: inputs[1], encoding_format }),
    embed({ model: "joined", input: inputs[2] }),
  ]);

  const bodies = (await Promise.all(responses.map((response) => response.json()))) as EmbeddingBody[];
  expect(bodies.map(({ data }) => numbersOf(data[0].embedding))).toEqual(
    inputs.map((input) => vectorOf(input, 8)),
  );
  expect(upstream.received.map(({ body }) => body.encoding_format)).toEqual([sent]);
});

test("a request for base64 may wait for a call in flight that returns JSON", async () => {
  upstream.follow({ always: { ...always, isHeld: true } });
  const first = embed({ model: "joined", input: "the same" });
  await expect.poll(() => upstream.seen().inFlight).toBe(1);
  const late = embed({ model: "joined", input: "the same", encoding_format: "base64" });
  await expect.poll(gateway.inFlight).toBe(2);
  upstream.follow({ always });

  for (const response of await Promise.all([first, late])) {
    const { data } = (await response.json()) as EmbeddingBody;
    expect(numbersOf(data[0].embedding)).toEqual(vectorOf("the same", 8));
  }
  expect(upstream.received.map(({ body }) => body.encoding_format)).toEqual([undefined]);
});

interface EmbeddingBody {
  readonly data: readonly [{ readonly embedding: string | number[] }];
}

function numbersOf(embedding: string | number[]): number[] {
  if (typeof embedding !== "string") return embedding;
  const bytes = Buffer.from(embedding, "base64");
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
}

function embed(body: object, headers: Record<string, string> = {}): Promise<Response> {
  return gateway.sendJson("/v1/embeddings", body, { headers });
}
