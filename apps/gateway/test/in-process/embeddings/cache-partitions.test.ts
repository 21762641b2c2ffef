import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { inputCounts } from "../../fake-upstream/input-counts.js";
import { AdminClient } from "../../gateway/admin-client.js";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";

const width = 16;
let upstream: FakeUpstream;
let gateway: InProcessGateway;

beforeEach(async () => {
  upstream = await startFakeUpstream({ script: { always: { width } } });
});
afterEach(async () => {
  await gateway.stop();
  await upstream.close();
});

/** Two keys of Ann, one of Ben, and two without an owner. */
const owners = { ann1: "ann", ann2: "ann", ben: "ben", none1: undefined, none2: undefined };
type Name = keyof typeof owners;

async function start(cache: string): Promise<Record<Name, string>> {
  gateway = await startGateway(`
cache: ${cache}
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { m: { type: embedding, dimensions: ${width}, cache: { ttl: 1h }, targets: [{ upstream: fake, model: m }] } }`);
  const admin = new AdminClient(gateway.url);
  const keys: Partial<Record<Name, string>> = {};
  for (const [name, owner] of Object.entries(owners))
    keys[name as Name] = (await admin.createKey({ name, ...(owner && { owner }) })).value;
  return keys as Record<Name, string>;
}

const embed = (key: string | undefined, input: string) =>
  gateway.sendJson("/v1/embeddings", { model: "m", input }, { headers: { authorization: `Bearer ${key}` } });

/** The names of the keys, in turn, for which the same text was a miss. */
async function missesOf(keys: Record<Name, string>): Promise<string[]> {
  const misses: string[] = [];
  for (const [name, key] of Object.entries(keys)) {
    const response = await embed(key, "the same text");
    expect(response.status).toBe(200);
    if (response.headers.get("x-gateway-cache") === "miss") misses.push(name);
    // The cache is written after the response.
    await expect
      .poll(async () => (await embed(key, "the same text")).headers.get("x-gateway-cache"))
      .toBe("hit");
  }
  return misses;
}

test.each([
  ["{}", ["ann1"]],
  ["{ partitionBy: owner }", ["ann1", "ben", "none1", "none2"]],
  ["{ partitionBy: key }", ["ann1", "ann2", "ben", "none1", "none2"]],
  ["{ partitionBy: owner, disk: { bytesMax: 16777216 } }", ["ann1", "ben", "none1", "none2"]],
])("with cache: %s, the same text is a miss for %j", async (cache, expected) => {
  const keys = await start(cache);

  expect(await missesOf(keys)).toEqual(expected);
});

test.each([
  ["{}", 1],
  ["{ partitionBy: owner }", 4],
  ["{ partitionBy: key }", 5],
])(
  "with cache: %s, five keys that ask for one text at once cause %i upstream calls",
  async (cache, calls) => {
    const keys = await start(cache);
    upstream.follow({ always: { width, isHeld: true } });

    const sent = Object.values(keys).map((key) => embed(key, "the same text"));
    await expect.poll(gateway.inFlight).toBe(sent.length);
    upstream.follow({ always: { width } });
    const statuses = (await Promise.all(sent)).map(({ status }) => status);

    expect(statuses).toEqual(sent.map(() => 200));
    expect(inputCounts(upstream, 200)).toHaveLength(calls);
  },
);
