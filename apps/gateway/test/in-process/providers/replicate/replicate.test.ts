import sharp from "sharp";
import { expect, test } from "vitest";
import { describeHosted } from "../hosted-suite.js";
import { errorOf, imagesOf } from "../image-requests.js";
import { gradient } from "../paint-masked.js";
import { replicateKey, startFakeReplicate, version } from "./fake-replicate.js";

describeHosted(
  {
    name: "replicate",
    key: replicateKey,
    start: startFakeReplicate,
    models: {
      create: "black-forest-labs/flux-schnell",
      edit: "black-forest-labs/flux-kontext-pro",
      fill: "black-forest-labs/flux-fill-pro",
    },
    settings: `, models: { "${version}": { size: width_height, image: pictures, maxImages: 2, input: { steps: 4 } } }`,
    more: `  own: { type: image, targets: [{ upstream: host, model: "${version}" }] }\n`,
    isSubmit: ({ method, path }) => method === "POST" && path.endsWith("/predictions"),
    isCancel: ({ method, path }) => method === "POST" && path.endsWith("/cancel"),
  },
  ({ fake, submitted, create, edit }) => {
    test("an official model has the fields that are known, a deadline, and a call that is held for a moment", async () => {
      const [image] = await imagesOf(
        await create({ model: "create", size: "1536x1024", seed: 0, n: 2, output_format: "jpeg" }),
      );

      expect(submitted()).toMatchObject([
        {
          path: "/v1/models/black-forest-labs/flux-schnell/predictions",
          headers: { prefer: "wait=5", "cancel-after": "300s" },
          body: {
            input: { prompt: "a fox", aspect_ratio: "3:2", num_outputs: 2, seed: 0, output_format: "jpg" },
          },
        },
      ]);
      expect(await sharp(image).metadata()).toMatchObject({ format: "jpeg", width: 24, height: 16 });
    });

    test("a version has the configured fields", async () => {
      const [image] = await imagesOf(await create({ model: "own", size: "96x32" }));
      const pixels = await gradient(64, 64);
      await imagesOf(await edit({ model: "own", "image[]": [pixels, pixels] }));

      expect(await sharp(image).metadata()).toMatchObject({ width: 96, height: 32 });
      const picture = `data:image/png;base64,${pixels.toString("base64")}`;
      expect(submitted().map(({ path, body }) => [path, body])).toEqual([
        ["/v1/predictions", { version, input: { prompt: "a fox", steps: 4, width: 96, height: 32 } }],
        ["/v1/predictions", { version, input: { prompt: "a hat", steps: 4, pictures: [picture, picture] } }],
      ]);
    });

    test("an option that the configuration has no field for is refused", async () => {
      expect(await errorOf(await create({ model: "own", seed: 1 }))).toMatchObject({
        status: 400,
        param: "seed",
      });
      expect(await errorOf(await create({ model: "create", size: "1000x1000" }))).toMatchObject({
        param: "size",
      });
      expect(fake().received).toEqual([]);
    });

    test("an image to edit is sent with its field", async () => {
      const image = await gradient(64, 64);

      await imagesOf(await edit({ model: "edit", image }));

      expect(submitted()[0]?.body).toEqual({
        input: {
          prompt: "a hat",
          output_format: "png",
          input_image: `data:image/png;base64,${image.toString("base64")}`,
        },
      });
    });

    test("a throttled call is repeated when the text says", async () => {
      const detail = "Request was throttled. Your rate limit resets soon. Expected available in 41 seconds.";
      fake().scripted.push({ method: "POST", reply: { status: 429, body: { detail } } });

      const response = await create({ model: "throttled" });

      expect(response.status).toBe(429);
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(35);
    });

    test("a field that is refused has the caller's name", async () => {
      const invalid_fields = [
        { type: "invalid", field: "input.num_outputs", description: "Must be at most 4" },
      ];
      const body = { title: "Input validation failed", detail: "- input", status: 422, invalid_fields };
      fake().scripted.push({ method: "POST", reply: { status: 422, body } });

      expect(await errorOf(await create({ model: "create" }))).toMatchObject({
        status: 400,
        code: "upstream_rejected",
        param: "n",
        message: "Must be at most 4",
      });
    });

    test("an account without credit says so", async () => {
      fake().scripted.push({
        method: "POST",
        reply: { status: 402, body: { detail: "Insufficient credit" } },
      });

      expect(await errorOf(await create({ model: "impatient" }))).toMatchObject({
        code: "insufficient_quota",
      });
    });
  },
);
