import { expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../fake-upstream/fake-upstream.mjs";
import { tinyPng } from "../fake-upstream/pictures.mjs";
import type { Behaviour } from "../fake-upstream/script.js";
import { startGateway, type TestGateway } from "../running-gateway.js";

const png = tinyPng.toString("base64");

const succeed: Behaviour = {};
const stall: Behaviour = { faults: [{ kind: "stall" }] };
const cut: Behaviour = { faults: [{ kind: "cut", afterBytes: 13 }] };
const answer = (body: object, status = 200): Behaviour => ({ faults: [{ kind: "answer", status, body }] });
const lie = (name: string): Behaviour => ({ faults: [{ kind: "lie", lie: name }] });
const fail = (status: number): Behaviour => ({
  faults: [{ kind: "answer", status, headers: { "retry-after": "1" }, body: {} }],
});

interface Stage {
  readonly upstream: FakeUpstream;
  readonly gateway: TestGateway;
}

/** What the upstream does with each call; the last goes on for ever. */
type Acts = readonly [...Behaviour[], Behaviour];

async function onStage<T>(acts: Acts, run: (stage: Stage) => Promise<T>): Promise<T> {
  const upstream = await startFakeUpstream({ script: { next: acts, always: acts.at(-1) ?? succeed } });
  const gateway = await startGateway(`
upstreams: { scripted: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}", timeoutMs: 500 } }
models: { m: { type: image, profile: { like: gpt-image, maxN: 1 }, targets: [{ upstream: scripted, model: m }] } }`);
  try {
    return await run({ upstream, gateway });
  } finally {
    await gateway.stop();
    await upstream.close();
  }
}

const ask = ({ gateway }: Stage, fields: object = {}, headers: Record<string, string> = {}) =>
  gateway.sendJson("/v1/images/generations", { model: "m", prompt: "a fox", ...fields }, { headers });

test("after a 503 nothing was made, so the gateway asks again", async () => {
  await onStage([fail(503), succeed], async (stage) => {
    const answered = await ask(stage);

    expect([answered.status, stage.upstream.received.length]).toEqual([200, 2]);
  });
});

test("an upstream that throttles is not asked again at once, and the caller may ask later", async () => {
  await onStage([fail(429), succeed], async (stage) => {
    const answered = await ask(stage);

    expect([answered.status, stage.upstream.received.length, answered.headers.get("retry-after")]).toEqual([
      429,
      1,
      "1",
    ]);
  });
});

test.each([
  ["a timeout", stall, 504],
  ["a cut answer", cut, 503],
  ["a 500", fail(500), 502],
  ["an answer without images", lie("no-images"), 502],
  ["an empty image", lie("empty-image"), 502],
  ["an image that is none", lie("words-for-a-image"), 502],
] satisfies [string, Behaviour, number][])(
  "after %s the outcome is unknown: the gateway does not ask again, and tells clients not to",
  async (_name, act, status) => {
    await onStage([act, succeed], async (stage) => {
      const answered = await ask(stage);

      const { error } = (await answered.json()) as { error: { message: string } };
      expect([
        answered.status,
        stage.upstream.received.length,
        answered.headers.get("x-should-retry"),
      ]).toEqual([status, 1, "false"]);
      expect(error.message).toContain("Whether the images were made is not known.");
    });
  },
);

test("a caller that allows less time than an image takes is told not to buy again", async () => {
  await onStage([stall], async (stage) => {
    const answered = await ask(stage, {}, { "x-gateway-timeout-ms": "100" });

    expect([answered.status, answered.headers.get("x-should-retry")]).toEqual([504, "false"]);
    expect(await answered.text()).toContain("Whether the images were made is not known.");
  });
});

test("fewer images than were asked for fail as a whole, unless the caller accepts them", async () => {
  await onStage([succeed, fail(500), succeed], async (stage) => {
    const whole = await ask(stage, { n: 3 });

    expect(whole.status).toBe(502);
  });
  await onStage([succeed, fail(500), succeed], async (stage) => {
    const partial = await ask(stage, { n: 3 }, { "x-gateway-partial": "allow" });

    const { data } = (await partial.json()) as { data: unknown[] };
    expect([partial.status, data.length, partial.headers.get("x-gateway-failed-images")]).toEqual([
      200,
      2,
      "1",
    ]);
  });
});

test.each([
  ["in a 400", answer({ error: { message: "No.", code: "contentFilter" } }, 400)],
  ["hidden in a 200", answer({ error: { message: "No.", code: "content_filter" } })],
] satisfies [string, Behaviour][])(
  "a refusal by moderation %s arrives as one, with its words",
  async (_name, act) => {
    await onStage([act], async (stage) => {
      const answered = await ask(stage);

      const { error } = (await answered.json()) as { error: object };
      expect([answered.status, error]).toEqual([
        400,
        { message: "No.", type: "image_generation_user_error", param: null, code: "moderation_blocked" },
      ]);
    });
  },
);

test("twenty requests at once with one Idempotency-Key are made and paid for once", async () => {
  await onStage([succeed], async (stage) => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ask(stage, {}, { "idempotency-key": "one" })),
    );

    const bodies = new Set(await Promise.all(answers.map((answered) => answered.text())));
    expect([bodies.size, stage.upstream.received.length]).toEqual([1, 1]);
  });
});

test.each([
  ["events", succeed],
  ["a document all the same", answer({ created: 1, data: [{ b64_json: png }] })],
])("a stream of %s with an Idempotency-Key is told again from what was kept", async (_name, act) => {
  await onStage([act], async (stage) => {
    const first = await (await ask(stage, { stream: true }, { "idempotency-key": "one" })).text();
    const second = await ask(stage, { stream: true }, { "idempotency-key": "one" });

    expect(await second.text()).toBe(first);
    expect(first).toContain("event: image_generation.completed");
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect(stage.upstream.received.length).toBe(1);
  });
});

test("a failure is not kept: the same key may try again", async () => {
  await onStage([fail(500), succeed], async (stage) => {
    const first = await ask(stage, {}, { "idempotency-key": "one" });
    const second = await ask(stage, {}, { "idempotency-key": "one" });

    expect([first.status, second.status]).toEqual([502, 200]);
  });
});

test("one call of several that is throttled does not make the whole safe to ask again", async () => {
  await onStage([succeed, fail(429), succeed], async (stage) => {
    const answered = await ask(stage, { n: 3 });

    expect([
      answered.status,
      answered.headers.get("x-should-retry"),
      answered.headers.get("retry-after"),
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
    "words of its own",
    { created: 1, data: [{ b64_json: png }], background: "auto", output_format: "jpg", extra: {} },
  ],
])("a good image with %s is not thrown away", async (_name, body) => {
  await onStage([answer(body)], async (stage) => {
    const answered = await ask(stage);

    const { data } = (await answered.json()) as { data: unknown[] };
    expect([answered.status, data]).toEqual([200, [{ b64_json: png }]]);
  });
});

test.each([
  [403, { message: "No.", code: "content_policy_violation" }, "content_policy_violation"],
  [200, { message: "No.", type: "image_generation_user_error", code: null }, "moderation_blocked"],
])("a refusal by moderation with the status %d is known for what it is", async (status, error, code) => {
  await onStage([answer({ error }, status)], async (stage) => {
    const answered = await ask(stage);

    expect([answered.status, ((await answered.json()) as { error: { code: string } }).error.code]).toEqual([
      400,
      code,
    ]);
  });
});
