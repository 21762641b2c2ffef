import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AdminClient } from "../../gateway/admin-client.js";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";
import type { FakeHost } from "./hosted-image.js";
import { errorOf, imageRequests, imagesOf } from "./image-requests.js";
import type { JobRequest } from "./job-server.js";
import { gradient, maskOf, paint, rgbOf } from "./paint-masked.js";

export interface HostedProvider {
  readonly name: string;
  readonly key: string;
  readonly start: () => Promise<FakeHost>;
  /** Models that create images, edit them, and fill a mask. */
  readonly models: { readonly create: string; readonly edit: string; readonly fill: string };
  /** More upstream keys, and more models on it. */
  readonly settings?: string;
  readonly more?: string;
  readonly isSubmit: (request: JobRequest) => boolean;
  readonly isCancel: (request: JobRequest) => boolean;
}

export interface HostedContext {
  readonly fake: () => FakeHost;
  readonly submitted: () => JobRequest[];
  readonly create: ReturnType<typeof imageRequests>["create"];
  readonly edit: ReturnType<typeof imageRequests>["edit"];
}

/** The requirements for every provider of hosted models, through a running gateway. */
export function describeHosted(provider: HostedProvider, more: (context: HostedContext) => void): void {
  describe(provider.name, () => {
    let fake: FakeHost;
    let gateway: InProcessGateway;

    beforeAll(async () => {
      fake = await provider.start();
      gateway = await startGateway(configOf(provider, fake));
    });
    afterAll(async () => {
      await gateway.stop();
      fake.close();
    });
    beforeEach(() => {
      fake.received.length = 0;
      fake.jobs.length = 0;
      fake.scripted.length = 0;
    });

    const { create, edit } = imageRequests(() => gateway);
    const submitted = () => fake.received.filter(provider.isSubmit);
    const cancelled = () => fake.received.filter(provider.isCancel);
    const rowOf = (response: Response) => new AdminClient(gateway.url).rowOf(response);

    test("a job is polled until it is done", async () => {
      fake.jobs.push({ pending: 2 });

      expect(await imagesOf(await create({ model: "create" }))).toHaveLength(1);
      expect(submitted()).toHaveLength(1);
      expect(cancelled()).toEqual([]);
    });

    test("six images are two jobs, with different seeds", async () => {
      expect(await imagesOf(await create({ model: "create", n: 6, seed: 5 }))).toHaveLength(6);
      expect(submitted()).toHaveLength(2);
      expect(new Set(submitted().map(({ body }) => JSON.stringify(body).match(/"seed":(\d+)/)?.[1]))).toEqual(
        new Set(["5", "9"]),
      );
    });

    test("exactly the transparent pixels of a mask are edited", async () => {
      const [width, height] = [80, 64];
      const original = await gradient(width, height);
      const isEdited = (x: number, y: number) => x >= 10 && x < 33 && y % 9 < 4;

      const mask = await maskOf(width, height, isEdited);
      const [edited] = await imagesOf(await edit({ model: "fill", image: original, mask }));

      const before = await rgbOf(original);
      expect(await rgbOf(edited)).toEqual(
        before.map((pixel, at) => (isEdited(at % width, Math.floor(at / width)) ? [...paint] : pixel)),
      );
    });

    test.each([
      [{ model: "create", quality: "high" }, "unsupported_value", "quality"],
      [{ model: "create", background: "transparent" }, "unsupported_value", "background"],
      [{ model: "create", style: "natural" }, "unsupported_parameter", "style"],
      [{ model: "fill" }, "unsupported_operation", "model"],
    ])("%j is refused by name, and nothing is sent", async (body, code, param) => {
      expect(await errorOf(await create(body))).toMatchObject({ status: 400, code, param });
      expect(fake.received).toEqual([]);
    });

    test("a model lists the operations that it has, and refuses the others by name", async () => {
      const { data } = (await (await gateway.send("/v1/models")).json()) as {
        data: { id: string; operations: string[] }[];
      };

      expect(Object.fromEntries(data.map(({ id, operations }) => [id, operations]))).toMatchObject({
        create: ["createImage"],
        fill: ["createImageEdit"],
      });
      expect(await errorOf(await create({ model: "fill" }))).toMatchObject({
        message:
          "The model 'fill' does not serve POST /v1/images/generations. It serves POST /v1/images/edits.",
      });
    });

    test("masks are refused where there is no field for them, and required where nothing else can be edited", async () => {
      const [image, mask] = [await gradient(64, 64), await maskOf(64, 64, () => true)];

      for (const fields of [
        { model: "edit", image, mask },
        { model: "fill", image },
      ])
        expect(await errorOf(await edit(fields))).toMatchObject({ status: 400, param: "mask" });
      expect(fake.received).toEqual([]);
    });

    test("moderation is the caller's 400, at one target alone", async () => {
      fake.jobs.push({ end: "moderated" });

      const response = await create({ model: "two" });

      const { status, code } = await errorOf(response);
      expect(status).toBe(400);
      expect(["moderation_blocked", "content_policy_violation"]).toContain(code);
      expect(submitted()).toHaveLength(1);
      expect((await create({ model: "two" })).status).toBe(200);
    });

    test.each(["failed", "stopped"] as const)("a job that is %s is not bought again", async (end) => {
      fake.jobs.push({ end });

      const response = await create({ model: "two" });

      expect(response.headers.get("x-should-retry")).toBe("false");
      expect(await errorOf(response)).toMatchObject({ status: 502, code: "upstream_error" });
      expect(submitted()).toHaveLength(1);
      expect(await rowOf(response)).toMatchObject({ images: 0, cost_usd: null });
    });

    test("a job that stalls is cancelled when its time is over", async () => {
      fake.jobs.push({ pending: Number.POSITIVE_INFINITY });
      const cancellation = fake.next(provider.isCancel);

      const response = await create({ model: "impatient" });

      expect(await errorOf(response)).toMatchObject({ status: 504, code: "upstream_timeout" });
      await cancellation;
      expect(await rowOf(response)).toMatchObject({ cost_usd: null });
    });

    test("a job is cancelled when its caller leaves", async () => {
      fake.jobs.push({ pending: Number.POSITIVE_INFINITY });
      const departure = new AbortController();
      const polled = fake.next(({ method }) => method === "GET");
      const cancellation = fake.next(provider.isCancel);

      create({ model: "create" }, { signal: departure.signal }).catch(() => undefined);
      await polled;
      departure.abort();

      await cancellation;
      expect(submitted()).toHaveLength(1);
    });

    test.each(["http://127.0.0.1:9/a.png", "https://evil.example.com/a.png"])(
      "a result at %s is not fetched",
      async (link) => {
        fake.jobs.push({ link });

        expect(await errorOf(await create({ model: "create" }))).toMatchObject({
          status: 502,
          code: "upstream_invalid_reply",
        });
        expect(submitted()).toHaveLength(1);
      },
    );

    test("a result that has expired is not bought again", async () => {
      fake.jobs.push({ link: `${fake.origin}/delivery/yesterday/0` });

      expect(await errorOf(await create({ model: "two" }))).toMatchObject({
        code: "upstream_invalid_reply",
      });
      expect(submitted()).toHaveLength(1);
    });

    test("a refused key is the gateway's own fault", async () => {
      expect(await errorOf(await create({ model: "wrong-key" }))).toMatchObject({
        status: 502,
        code: "upstream_auth_error",
      });
    });

    more({ fake: () => fake, submitted, create, edit });
  });
}

function configOf({ name, key, models, settings = "", more = "" }: HostedProvider, fake: FakeHost): string {
  const upstream = (apiKey: string, others = "") =>
    `{ provider: ${name}, baseUrl: "${fake.baseUrl}", apiKey: ${apiKey}, allowPrivateUrls: true${others}${settings} }`;
  const target = (model: string, from: string) =>
    `{ upstream: ${from}, model: "${model}", price: { perImage: 0.01 } }`;
  const model = (...targets: string[]) => `{ type: image, targets: [${targets.join(", ")}] }`;
  return `
upstreams:
  host: ${upstream(key)}
  spare: ${upstream(key)}
  throttled: ${upstream(key)}
  wrong-key: ${upstream("wrong")}
  impatient: ${upstream(key, ", timeoutMs: 3000")}
models:
  create: ${model(target(models.create, "host"))}
  edit: ${model(target(models.edit, "host"))}
  fill: ${model(target(models.fill, "host"))}
  two: ${model(target(models.create, "host"), target(models.create, "spare"))}
  wrong-key: ${model(target(models.create, "wrong-key"))}
  impatient: ${model(target(models.create, "impatient"))}
  throttled: ${model(target(models.create, "throttled"))}
${more}`;
}
