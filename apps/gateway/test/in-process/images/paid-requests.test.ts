import { expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import type { Behaviour } from "../../fake-upstream/script.js";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";

const png = tinyPng.toString("base64");
/** Long enough for a call to arrive at the upstream. */
const stallMs = 2000;

const succeed: Behaviour = {};
const stall: Behaviour = { faults: [{ kind: "stall" }] };
const cut: Behaviour = { faults: [{ kind: "cut", afterBytes: 13 }] };
const reply = (body: object, status = 200): Behaviour => ({ faults: [{ kind: "reply", status, body }] });
const lie = (name: string): Behaviour => ({ faults: [{ kind: "lie", lie: name }] });
const fail = (status: number): Behaviour => ({
  faults: [{ kind: "reply", status, headers: { "retry-after": "1" }, body: {} }],
});

interface Servers {
  readonly upstream: FakeUpstream;
  readonly gateway: InProcessGateway;
}

/** The upstream's behaviour for each call. The last one repeats. */
type Behaviours = readonly [...Behaviour[], Behaviour];

async function withUpstream<T>(behaviours: Behaviours, run: (servers: Servers) => Promise<T>): Promise<T> {
  // If nothing stalls, only a busy machine would cause a timeout.
  const timeoutMs = behaviours.includes(stall) ? stallMs : 60_000;
  const upstream = await startFakeUpstream({
    script: { next: behaviours, always: behaviours.at(-1) ?? succeed },
  });
  const gateway = await startGateway(`
upstreams: { scripted: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}", timeoutMs: ${timeoutMs} } }
models: { m: { type: image, profile: { like: gpt-image, maxN: 1 }, targets: [{ upstream: scripted, model: m }] } }`);
  try {
    return await run({ upstream, gateway });
  } finally {
    await gateway.stop();
    await upstream.close();
  }
}

const createImage = ({ gateway }: Servers, fields: object = {}, headers: Record<string, string> = {}) =>
  gateway.sendJson("/v1/images/generations", { model: "m", prompt: "a fox", ...fields }, { headers });

test("a 503 means that nothing was created, so the gateway retries", async () => {
  await withUpstream([fail(503), succeed], async (servers) => {
    const response = await createImage(servers);

    expect([response.status, servers.upstream.received.length]).toEqual([200, 2]);
  });
});

test("a throttled call is not retried, and the caller learns when to retry", async () => {
  await withUpstream([fail(429), succeed], async (servers) => {
    const response = await createImage(servers);

    expect([response.status, servers.upstream.received.length, response.headers.get("retry-after")]).toEqual([
      429,
      1,
      "1",
    ]);
  });
});

test.each([
  ["a timeout", stall, 504],
  ["a truncated reply", cut, 503],
  ["a 500", fail(500), 502],
  ["a reply without images", lie("no-images"), 502],
  ["an empty image", lie("empty-image"), 502],
  ["data that is not an image", lie("text-for-an-image"), 502],
] satisfies [string, Behaviour, number][])(
  "after %s the outcome is unknown: the gateway does not retry, and clients must not either",
  async (_name, behaviour, status) => {
    await withUpstream([behaviour, succeed], async (servers) => {
      const response = await createImage(servers);

      const { error } = (await response.json()) as { error: { message: string } };
      expect([
        response.status,
        servers.upstream.received.length,
        response.headers.get("x-should-retry"),
      ]).toEqual([status, 1, "false"]);
      expect(error.message).toContain("Whether the images were created is not known.");
    });
  },
);

test("a caller whose timeout is too short for an image must not retry", async () => {
  await withUpstream([stall], async (servers) => {
    const response = await createImage(servers, {}, { "x-gateway-timeout-ms": String(stallMs / 2) });

    expect([response.status, response.headers.get("x-should-retry")]).toEqual([504, "false"]);
    expect(await response.text()).toContain("Whether the images were created is not known.");
  });
});

test("fewer images than requested fail the request, unless the caller accepts them", async () => {
  await withUpstream([succeed, fail(500), succeed], async (servers) => {
    const whole = await createImage(servers, { n: 3 });

    expect(whole.status).toBe(502);
  });
  await withUpstream([succeed, fail(500), succeed], async (servers) => {
    const partial = await createImage(servers, { n: 3 }, { "x-gateway-partial": "allow" });

    const { data } = (await partial.json()) as { data: unknown[] };
    expect([partial.status, data.length, partial.headers.get("x-gateway-failed-images")]).toEqual([
      200,
      2,
      "1",
    ]);
  });
});

test.each([
  ["in a 400", reply({ error: { message: "No.", code: "contentFilter" } }, 400)],
  ["hidden in a 200", reply({ error: { message: "No.", code: "content_filter" } })],
] satisfies [string, Behaviour][])(
  "a refusal by moderation %s is passed on, with its message",
  async (_name, behaviour) => {
    await withUpstream([behaviour], async (servers) => {
      const response = await createImage(servers);

      const { error } = (await response.json()) as { error: object };
      expect([response.status, error]).toEqual([
        400,
        { message: "No.", type: "image_generation_user_error", param: null, code: "moderation_blocked" },
      ]);
    });
  },
);

test("twenty concurrent requests with one Idempotency-Key are carried out and paid for once", async () => {
  await withUpstream([succeed], async (servers) => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => createImage(servers, {}, { "idempotency-key": "one" })),
    );

    const bodies = new Set(await Promise.all(responses.map((response) => response.text())));
    expect([bodies.size, servers.upstream.received.length]).toEqual([1, 1]);
  });
});

test.each([
  ["events", succeed],
  ["a document", reply({ created: 1, data: [{ b64_json: png }] })],
])(
  "with an Idempotency-Key, a stream that the upstream sends as %s is replayed",
  async (_name, behaviour) => {
    await withUpstream([behaviour], async (servers) => {
      const first = await (await createImage(servers, { stream: true }, { "idempotency-key": "one" })).text();
      const second = await createImage(servers, { stream: true }, { "idempotency-key": "one" });

      expect(await second.text()).toBe(first);
      expect(first).toContain("event: image_generation.completed");
      expect(second.headers.get("idempotent-replayed")).toBe("true");
      expect(servers.upstream.received.length).toBe(1);
    });
  },
);

test("a failure is not stored, so a retry with the same key is carried out", async () => {
  await withUpstream([fail(500), succeed], async (servers) => {
    const first = await createImage(servers, {}, { "idempotency-key": "one" });
    const second = await createImage(servers, {}, { "idempotency-key": "one" });

    expect([first.status, second.status]).toEqual([502, 200]);
  });
});

test("a request with one throttled call of several is not safe to retry", async () => {
  await withUpstream([succeed, fail(429), succeed], async (servers) => {
    const response = await createImage(servers, { n: 3 });

    expect([
      response.status,
      response.headers.get("x-should-retry"),
      response.headers.get("retry-after"),
    ]).toEqual([429, "false", null]);
  });
});

test.each([
  [
    "nulls beside it",
    { created: 1, data: [{ b64_json: png, url: null, revised_prompt: null }], usage: null },
  ],
  ["an empty text beside a data URL", { data: [{ b64_json: "", url: `data:image/png;base64,${png}` }] }],
  ["a usage without its details", { created: 1, data: [{ b64_json: png }], usage: { total_tokens: 5 } }],
  [
    "unknown values and fields",
    { created: 1, data: [{ b64_json: png }], background: "auto", output_format: "jpg", extra: {} },
  ],
])("a good image with %s is accepted", async (_name, body) => {
  await withUpstream([reply(body)], async (servers) => {
    const response = await createImage(servers);

    const { data } = (await response.json()) as { data: unknown[] };
    expect([response.status, data]).toEqual([200, [{ b64_json: png }]]);
  });
});

test.each([
  [403, { message: "No.", code: "content_policy_violation" }, "content_policy_violation"],
  [200, { message: "No.", type: "image_generation_user_error", code: null }, "moderation_blocked"],
])("a refusal by moderation with status %d is recognised", async (status, error, code) => {
  await withUpstream([reply({ error }, status)], async (servers) => {
    const response = await createImage(servers);

    expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([
      400,
      code,
    ]);
  });
});
