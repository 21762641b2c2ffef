import type { Schemas } from "@model-gateway/domain/operations";
import { probeImages, probeTexts } from "@model-gateway/vector-check/probes";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { startGateway } from "../../gateway/in-process.js";
import { testAdminKey } from "../../gateway/test-gateway.js";

/** Upstreams with one model. `three` takes texts alone. */
const names = ["one", "two", "three"];
let upstreams: readonly FakeUpstream[];
beforeAll(async () => {
  upstreams = await Promise.all(names.map(() => startFakeUpstream()));
});
afterAll(() => Promise.all(upstreams.map((upstream) => upstream.close())));
beforeEach(() => {
  for (const upstream of upstreams) {
    upstream.follow({});
    upstream.received.length = 0;
  }
});

const configOf = ({ images = "true", more = "" } = {}) => `
${more}
upstreams:
${names.map((name, at) => `  ${name}: { provider: openai-compatible, baseUrl: "${upstreams[at]?.baseUrl}" }`).join("\n")}
models:
  m:
    type: embedding
    dimensions: 8
    price: { perMillionTokens: 0, perInputImage: 0.5 }
    targets:
      - { upstream: one, model: m, inputImages: ${images} }
      - { upstream: two, model: m, inputImages: ${images} }
      - { upstream: three, model: m }
`;
const admin = { headers: { authorization: `Bearer ${testAdminKey}` } };
type Gateway = Awaited<ReturnType<typeof startGateway>>;

const compare = async (gateway: Gateway) => {
  const response = await gateway.sendJson("/admin/v1/space-comparisons", { model: "m" }, admin);
  return (await response.json()) as Schemas["SpaceComparison"];
};
/** The inputs of each call that an upstream got. */
const inputsAt = (at: number) => upstreams[at]?.received.map(({ body }) => body.input);
const images = Object.values(probeImages).map((base64) => ({
  content: [{ type: "image_url", image_url: { url: `data:image/png;base64,${base64}` } }],
}));

test("targets that take images embed them beside the texts, and the one whose images differ is found", async () => {
  const gateway = await startGateway(configOf());

  const same = await compare(gateway);
  upstreams[1]?.follow({ always: { imageVectors: "other" } });
  const different = await compare(gateway);

  expect(inputsAt(0)?.slice(0, 2)).toEqual([probeTexts, images]);
  expect(inputsAt(2)?.slice(0, 1)).toEqual([probeTexts]);
  expect(inputsAt(2)).toHaveLength(2);
  expect(same).toMatchObject({
    verdict: "same",
    texts: 16,
    images: 4,
    targets: [
      { upstream: "one", verdict: "reference", image_cosine_min: null },
      { upstream: "two", verdict: "same", differs_in: [], image_cosine_min: expect.closeTo(1) },
      { upstream: "three", verdict: "same", differs_in: [], image_cosine_min: null },
    ],
  });
  expect(different).toMatchObject({
    verdict: "different",
    targets: [
      { verdict: "reference", differs_in: [] },
      { verdict: "different", differs_in: ["images"], cosine_min: expect.closeTo(1) },
      { verdict: "same", differs_in: [] },
    ],
  });
  expect(different.targets[1]?.image_cosine_min).toBeLessThan(0.9);
  const rows = async () => {
    const response = await gateway.send("/admin/v1/requests?key=gateway:probe", admin);
    const { data } = (await response.json()) as Schemas["RequestList"];
    return data.map((row) => [row.upstream, row.images, row.cost_usd]).sort();
  };
  await expect.poll(rows).toEqual([
    ["one", 4, 2],
    ["one", 4, 2],
    ["three", 0, 0],
    ["three", 0, 0],
    ["two", 4, 2],
    ["two", 4, 2],
  ]);
  await gateway.stop();
});

test("a model that begins to take images is to be compared again", async () => {
  const gateway = await startGateway(configOf({ images: "false" }));
  const last = async () => {
    const { data } = (await (
      await gateway.send("/admin/v1/models", admin)
    ).json()) as Schemas["AdminModelList"];
    const { verdict, images, outdated } = data[0]?.comparison ?? {};
    return { verdict, images, outdated };
  };
  upstreams[1]?.follow({ always: { imageVectors: "other" } });
  await compare(gateway);

  expect(await last()).toEqual({ verdict: "same", images: 0, outdated: false });
  await gateway.reload(configOf());
  expect(await last()).toEqual({ verdict: "same", images: 0, outdated: true });
  await compare(gateway);
  expect(await last()).toEqual({ verdict: "different", images: 4, outdated: false });
  await gateway.stop();
});

test("images go in calls that a target takes: one message each, or a few at once", async () => {
  const gateway = await startGateway(configOf({ images: "{ form: messages }" }));
  await compare(gateway);
  expect(upstreams[0]?.received.map(({ body }) => Object.keys(body).includes("messages"))).toEqual([
    false,
    ...images.map(() => true),
  ]);

  await gateway.reload(configOf({ images: "{ maxImagesPerRequest: 3 }" }));
  for (const upstream of upstreams) upstream.received.length = 0;
  await compare(gateway);
  expect(inputsAt(0)?.map((input) => (input as unknown[]).length)).toEqual([16, 3, 1]);
  await gateway.stop();
});

test("images that move while the texts stay are a drift, until they are accepted", async () => {
  const config = configOf({ more: "drift: { action: exclude }" });
  const gateway = await startGateway(config);
  const states = async () => {
    const { data } = (await (
      await gateway.send("/admin/v1/upstreams", admin)
    ).json()) as Schemas["UpstreamList"];
    return data.flatMap(({ targets }) =>
      targets.map(({ state, space_check }) => ({ state, ...space_check })),
    );
  };
  const sound = { state: "healthy", drifted: false, cosine_min: 1 };
  const withImages = { ...sound, image_cosine_min: 1 };
  const textsAlone = { ...sound, image_cosine_min: null };
  await expect.poll(states).toMatchObject([withImages, withImages, textsAlone]);

  upstreams[1]?.follow({ always: { imageVectors: "other" } });
  await gateway.reload(config);
  await expect.poll(states).toMatchObject([
    withImages,
    {
      state: "drifted",
      drifted: true,
      excluded: true,
      cosine_min: 1,
      image_cosine_min: expect.any(Number),
    },
    textsAlone,
  ]);
  expect((await states())[1]?.image_cosine_min).toBeLessThan(0.9);

  const accepted = await gateway.sendJson(
    "/admin/v1/space-revisions",
    { model: "m", upstream: "two" },
    admin,
  );
  expect(accepted.status).toBe(200);
  expect(await states()).toMatchObject([{ state: "drifted", cosine_min: 1 }, withImages, textsAlone]);
  await gateway.stop();
});
