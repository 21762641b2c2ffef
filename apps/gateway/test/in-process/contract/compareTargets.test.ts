import type { Schemas } from "@model-gateway/domain/operations";
import { afterAll, beforeAll, expect } from "vitest";
import { type ModelServer, startModelServer, width } from "../../servers/model-server.js";
import { adminGateway, otherCallersCases, storageFaultCase } from "./admin-gateway.js";
import { bodyOf, contract, saysError } from "./contract.js";

/** Upstreams that are declared to have one model. The last has another one. */
let servers: readonly ModelServer[];
beforeAll(async () => {
  servers = await Promise.all(["v1", "v1", "v2"].map(startModelServer));
});
afterAll(() => Promise.all(servers.map((server) => server.close())));
const context = adminGateway((yaml) => {
  const names = ["one", "two", "three"];
  const entries = servers.map(
    ({ baseUrl }, index) => `  ${names[index]}: { provider: openai-compatible, baseUrl: "${baseUrl}" }`,
  );
  const targets = (...upstreams: string[]) =>
    upstreams.map((upstream) => `{ upstream: ${upstream}, model: m }`).join(", ");
  return `${yaml.replace("upstreams:", `upstreams:\n${entries.join("\n")}`)}
  alike: { type: embedding, aliases: [also-alike], dimensions: ${width}, targets: [${targets("one", "two")}] }
  mixed: { type: embedding, dimensions: ${width}, targets: [${targets("one", "two", "three")}] }
  half: { type: embedding, dimensions: ${width}, targets: [${targets("one", "distant")}] }
`;
});
const path = "/admin/v1/space-comparisons";
const post = (json: unknown) => () => context.send(path, { method: "POST", json });

const lastOf = async (id: string) => {
  const { data } = await bodyOf(await context.send("/admin/v1/models"));
  return (data as Schemas["AdminModel"][]).find((model) => model.id === id)?.comparison;
};
const alerted = async () => {
  const { comparisons } = await bodyOf(await context.send("/admin/v1/alerts"));
  return (comparisons as Schemas["SpaceComparison"][]).map(({ model }) => model);
};

/** The gateway's reports after a comparison. */
const seen: { last?: Schemas["AdminModel"]["comparison"]; alerts?: string[]; texts?: number } = {};

contract("compareTargets", {
  200: [
    {
      name: "targets that agree, by an alias",
      send: post({ model: "also-alike" }),
      expect: (body) =>
        expect(body).toEqual({
          object: "space.comparison",
          model: "alike",
          space: expect.any(String),
          compared_at: expect.closeTo(Date.now() / 1000, -2),
          outdated: false,
          verdict: "same",
          texts: 16,
          images: 0,
          targets: [
            {
              upstream: "one",
              model: "m",
              verdict: "reference",
              differs_in: [],
              cosine_min: null,
              neighbours_kept: null,
              image_cosine_min: null,
              dimensions: width,
              ms: expect.any(Number),
              error: null,
            },
            {
              upstream: "two",
              model: "m",
              verdict: "same",
              differs_in: [],
              cosine_min: expect.closeTo(1),
              neighbours_kept: 16,
              image_cosine_min: null,
              dimensions: width,
              ms: expect.any(Number),
              error: null,
            },
          ],
        }),
    },
    {
      name: "a target that differs: the models and the alerts show it",
      send: async () => {
        const response = await post({ model: "mixed" })();
        seen.last = (await lastOf("mixed")) ?? null;
        seen.alerts = await alerted();
        return response;
      },
      expect: (body) => {
        expect(body).toMatchObject({
          verdict: "different",
          targets: [{ verdict: "reference" }, { verdict: "same" }, { verdict: "different" }],
        });
        expect(seen.last).toEqual(body);
        expect(seen.alerts).toEqual(["mixed"]);
      },
    },
    {
      name: "a target that cannot be reached",
      send: post({ model: "half" }),
      expect: (body) =>
        expect(body).toMatchObject({
          verdict: "incomplete",
          targets: [
            { verdict: "reference" },
            { verdict: "no_reply", dimensions: null, error: { code: "upstream_unavailable" } },
          ],
        }),
    },
    {
      name: "two requests at once share the calls, which are in the ledger",
      send: async () => {
        const [one] = servers;
        const before = one?.texts.length ?? 0;
        const [first, second] = await Promise.all([
          post({ model: "alike" })(),
          post({ model: "also-alike" })(),
        ]);
        seen.texts = (one?.texts.length ?? 0) - before;
        expect(await bodyOf(second as Response)).toMatchObject({ verdict: "same" });
        const rows = async () =>
          (await bodyOf(await context.send("/admin/v1/requests?key=gateway:probe&model=alike"))).data;
        await expect
          .poll(rows)
          .toContainEqual(expect.objectContaining({ upstream: "two", status: 200, input_tokens: 300 }));
        return first as Response;
      },
      expect: () => expect(seen.texts).toBe(16),
    },
  ],
  400: [
    { name: "no model", send: post({}), expect: saysError("missing_required_parameter", "model") },
    {
      name: "a model with one target",
      send: post({ model: "near" }),
      expect: saysError("invalid_value", "model"),
    },
    { name: "a model of images", send: post({ model: "far" }), expect: saysError("invalid_value", "model") },
    { name: "a pattern", send: post({ model: "any-x" }), expect: saysError("invalid_value", "model") },
    {
      name: "a misspelt field",
      send: post({ model: "alike", texts: 3 }),
      expect: saysError("unknown_parameter", "texts"),
    },
  ],
  404: [
    {
      name: "a model that is not there",
      send: post({ model: "nowhere" }),
      expect: saysError("model_not_found", "model"),
    },
  ],
  413: [
    {
      name: "a body that no operator would write",
      send: post({ model: "a".repeat(70_000) }),
      expect: saysError("content_too_large"),
    },
  ],
  415: [
    {
      name: "a form",
      send: () =>
        context.send(path, {
          method: "POST",
          body: "model=alike",
          headers: { "content-type": "application/x-www-form-urlencoded" },
        }),
      expect: saysError("unsupported_content_type"),
    },
  ],
  ...withStorageFaults(otherCallersCases(context, path, { method: "POST", json: { model: "alike" } })),
});

function withStorageFaults(cases: ReturnType<typeof otherCallersCases>): typeof cases {
  const send = post({ model: "alike" });
  return {
    ...cases,
    500: [...cases[500], storageFaultCase(context, "faulty", send)],
    503: [...cases[503], storageFaultCase(context, "unavailable", send)],
  };
}
