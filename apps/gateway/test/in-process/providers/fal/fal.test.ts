import sharp from "sharp";
import { expect, test } from "vitest";
import { describeHosted } from "../hosted-suite.js";
import { errorOf, imagesOf } from "../image-requests.js";
import { gradient } from "../paint-masked.js";
import { falKey, startFakeFal } from "./fake-fal.js";

describeHosted(
  {
    name: "fal",
    key: `"${falKey}"`,
    start: startFakeFal,
    models: {
      create: "fal-ai/flux/schnell",
      edit: "fal-ai/flux-pro/kontext",
      fill: "fal-ai/flux-pro/v1/fill",
    },
    settings: `, models: { "my-team/my-app": { image: image_urls, maxImages: 2 } }`,
    more: `  own: { type: image, targets: [{ upstream: host, model: my-team/my-app }] }\n`,
    isSubmit: ({ method }) => method === "POST",
    isCancel: ({ method, path }) => method === "PUT" && path.endsWith("/cancel"),
  },
  ({ fake, submitted, create, edit }) => {
    test("a model has the fields that are known, and its links are used as they are", async () => {
      const options = { size: "640x480", seed: 0, n: 2, output_format: "jpeg" };
      const images = await imagesOf(await create({ model: "create", ...options }));

      expect(submitted()).toMatchObject([
        {
          path: "/fal-ai/flux/schnell",
          body: {
            prompt: "a fox",
            image_size: { width: 640, height: 480 },
            num_images: 2,
            seed: 0,
            output_format: "jpeg",
          },
        },
      ]);
      expect(fake().received[1]?.path).toMatch(/^\/fal-ai\/flux\/requests\/r\d+\/status$/);
      expect(images).toHaveLength(2);
      expect(await sharp(images[0]).metadata()).toMatchObject({ format: "jpeg", width: 640, height: 480 });
    });

    test("an image to edit is sent with its field, and a size as its ratio", async () => {
      const image = await gradient(64, 64);

      await imagesOf(await edit({ model: "edit", image, size: "1920x1080" }));

      expect(submitted()[0]?.body).toEqual({
        prompt: "a hat",
        num_images: 1,
        output_format: "png",
        aspect_ratio: "16:9",
        image_url: `data:image/png;base64,${image.toString("base64")}`,
      });
    });

    test("a configured model has its fields, and refuses options without one", async () => {
      const image = await gradient(64, 64);

      await imagesOf(await edit({ model: "own", "image[]": [image, image] }));

      const url = `data:image/png;base64,${image.toString("base64")}`;
      expect(submitted()[0]?.body).toEqual({ prompt: "a hat", image_urls: [url, url] });
      expect(await errorOf(await create({ model: "own", size: "1024x1024" }))).toMatchObject({
        status: 400,
        param: "size",
      });
    });

    test("a black image of the safety check is moderation", async () => {
      fake().scripted.push(
        { method: "GET", reply: { body: { status: "COMPLETED" } } },
        {
          method: "GET",
          reply: { body: { images: [{ url: "https://v3.fal.media/a.png" }], has_nsfw_concepts: [true] } },
        },
      );

      expect(await errorOf(await create({ model: "two" }))).toMatchObject({
        status: 400,
        code: "moderation_blocked",
      });
      expect(submitted()).toHaveLength(1);
    });

    test("a throttled call says when it may be repeated", async () => {
      fake().scripted.push({
        method: "POST",
        reply: { status: 429, body: { detail: "Too many requests" }, headers: { "retry-after": "41" } },
      });

      const response = await create({ model: "throttled" });

      expect(response.status).toBe(429);
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(35);
    });

    test("a field that is refused has the caller's name", async () => {
      const detail = [{ loc: ["body", "image_size", "width"], msg: "too large", type: "less_than" }];
      fake().scripted.push({ method: "POST", reply: { status: 422, body: { detail } } });

      expect(await errorOf(await create({ model: "create" }))).toMatchObject({
        status: 400,
        code: "upstream_rejected",
        param: "size",
        message: "too large",
      });
    });
  },
);
