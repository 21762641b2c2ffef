import { expect } from "vitest";
import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import { type ContractCase, saysError } from "./contract.js";
import type { ContractGateway } from "./gateway.js";

type Cases = readonly [ContractCase, ...ContractCase[]];

/** The requirements for generations, whether the request is served at once or by a job. */
export function createImageCases(context: ContractGateway) {
  const ask =
    (fields: object = {}, init?: RequestInit) =>
    () =>
      context.gateway.sendJson(
        "/v1/images/generations",
        { model: "image", prompt: "a fox", ...fields },
        init,
      );
  return {
    200: [
      {
        name: "a prompt becomes an image, with its properties and its cost",
        send: ask(),
        expect: (body) =>
          expect(body).toMatchObject({
            created: 1787150086,
            data: [{ b64_json: tinyPng.toString("base64") }],
            output_format: "png",
            // The real format, not the one that the upstream claims.
            size: "1x1",
            usage: { total_tokens: 110 },
          }),
      },
      { name: "n images", send: ask({ n: 3 }), expect: (body) => expect(body.data).toHaveLength(3) },
      {
        name: "response_format b64_json is what this upstream gives anyway, so it is not sent to it",
        send: ask({ response_format: "b64_json", user: "u", size: "1536x1024" }),
        expect: () =>
          expect(context.upstream.received.at(-1)?.body).toEqual({
            model: "image",
            prompt: "a fox",
            user: "u",
            size: "1536x1024",
          }),
      },
      {
        name: "a link from a model that only gives base64, which leads to the image for as long as it says",
        send: ask({ response_format: "url" }),
        expect: (body) =>
          expect(body.data).toEqual([
            {
              url: expect.stringMatching(
                /^http:\/\/127\.0\.0\.1:\d+\/v1\/images\/files\/[0-9a-f]{32}\.png\?/,
              ),
            },
          ]),
      },
      {
        name: "another format than the upstream's own",
        send: ask({ model: "only-png", output_format: "webp", output_compression: 50 }),
        expect: (body) => {
          expect(body.output_format).toBe("webp");
          expect(Buffer.from(body.data[0].b64_json, "base64").toString("latin1", 8, 12)).toBe("WEBP");
          expect(context.upstream.received.at(-1)?.body).toEqual({ model: "only-png", prompt: "a fox" });
        },
      },
      {
        name: "more images than one call can ask for",
        send: ask({ model: "only-png", n: 3 }),
        expect: (body) => expect(body.data).toHaveLength(3),
      },
      {
        name: "a stream from an upstream that cannot stream",
        send: ask({ model: "only-png", stream: true, n: 2 }),
        expect: (events) =>
          expect(events.map(({ event }: { event: string }) => event)).toEqual([
            "image_generation.completed",
            "image_generation.completed",
          ]),
      },
      {
        name: "null parameters are absent",
        send: ask({
          n: null,
          size: null,
          quality: null,
          background: null,
          stream: null,
          style: null,
          user: null,
        }),
        expect: () =>
          expect(context.upstream.received.at(-1)?.body).toEqual({ model: "image", prompt: "a fox" }),
      },
      {
        name: "partial images without a stream have no effect",
        send: ask({ partial_images: 1 }),
        expect: () =>
          expect(context.upstream.received.at(-1)?.body).toEqual({ model: "image", prompt: "a fox" }),
      },
      {
        name: "the safety identifier is sent on, and what the upstream used is returned",
        send: ask({ safety_identifier: "u-1", user: "u-2" }),
        expect: (body) => {
          expect(body.safety_identifier).toBe("u-1");
          expect(context.upstream.received.at(-1)?.body).toMatchObject({
            safety_identifier: "u-1",
            user: "u-2",
          });
        },
      },
      {
        name: "an animation, with its frames",
        send: ask({
          model: "newest",
          output_format: "gif",
          frame_count: 3,
          frame_duration_ms: 120,
          complexity: "low",
        }),
        expect: (body) => {
          expect(body).toMatchObject({ output_format: "gif", size: "64x64" });
          expect(body).not.toHaveProperty("background");
          expect(Buffer.from(body.data[0].b64_json, "base64").toString("latin1", 0, 6)).toBe("GIF89a");
          expect(context.upstream.received.at(-1)?.body).toEqual({
            model: "newest",
            prompt: "a fox",
            output_format: "gif",
            frame_count: 3,
            frame_duration_ms: 120,
            complexity: "low",
          });
        },
      },
      {
        name: "a vector image, and what its author used",
        send: ask({ model: "newest", output_format: "svg", svg: { model: "author", reasoning: null } }),
        expect: (body) => {
          expect(body).toMatchObject({
            output_format: "svg",
            size: "64x64",
            svg_usage: { model: "svg-author", total_tokens: 3000 },
          });
          expect(Buffer.from(body.data[0].b64_json, "base64").toString()).toMatch(/^<svg /);
        },
      },
      {
        name: "a link to a vector image, again for the same Idempotency-Key",
        send: async () => {
          const again = { headers: { "idempotency-key": "vector" } };
          await ask({ model: "newest", output_format: "svg", response_format: "url" }, again)();
          return ask({ model: "newest", output_format: "svg", response_format: "url" }, again)();
        },
        expect: (body, response) => {
          expect(response.headers.get("idempotent-replayed")).toBe("true");
          expect(body.data[0].url).toMatch(/\/v1\/images\/files\/[0-9a-f]{32}\.svg\?/);
        },
      },
      {
        name: "a completed event has a usage, even from an upstream that counts no tokens",
        send: ask({ model: "dall-e", stream: true }),
        expect: (events) =>
          expect(events.map(({ data }: { data: { usage: object; quality: string } }) => data)).toMatchObject([
            {
              quality: "auto",
              usage: {
                input_tokens: 0,
                input_tokens_details: { text_tokens: 0, image_tokens: 0 },
                output_tokens: 0,
                total_tokens: 0,
              },
            },
          ]),
      },
      {
        name: "a quality that only requests have is sent on and not repeated",
        send: ask({ model: "dall-e", quality: "hd", response_format: "b64_json" }),
        expect: (body) => {
          expect(body).not.toHaveProperty("quality");
          expect(context.upstream.received.at(-1)?.body.quality).toBe("hd");
        },
      },
      {
        name: "the defaults of DALL·E's clients are accepted, and sent in the words of the model",
        send: ask({ quality: "standard", style: "vivid" }),
        expect: () => {
          const { quality, style } = context.upstream.received.at(-1)?.body ?? {};
          expect([quality, style]).toEqual(["medium", undefined]);
        },
      },
      {
        name: "stream passes the upstream's events on",
        send: ask({ stream: true, partial_images: 2 }),
        expect: (events) =>
          expect(events.map(({ event }: { event: string }) => event)).toEqual([
            "image_generation.partial_image",
            "image_generation.partial_image",
            "image_generation.completed",
          ]),
      },
    ],
    400: [
      {
        name: "no prompt",
        send: ask({ prompt: undefined }),
        expect: saysError("missing_required_parameter", "prompt"),
      },
      { name: "an empty prompt", send: ask({ prompt: "" }), expect: saysError("empty_string", "prompt") },
      {
        name: "a prompt that is too long",
        send: ask({ prompt: "a".repeat(32_001) }),
        expect: saysError("string_above_max_length", "prompt"),
      },
      { name: "no images at all", send: ask({ n: 0 }), expect: saysError("integer_below_min_value", "n") },
      { name: "too many images", send: ask({ n: 11 }), expect: saysError("integer_above_max_value", "n") },
      { name: "an invalid size", send: ask({ size: "big" }), expect: saysError("invalid_value", "size") },
      {
        name: "a quality that does not exist",
        send: ask({ quality: "best" }),
        expect: (body) =>
          expect(body.error.message).toBe(
            "Invalid value: 'best'. Supported values are: 'auto', 'low', 'medium', 'high', 'xhigh', 'max', 'standard', and 'hd'.",
          ),
      },
      {
        name: "a quality of other models",
        send: ask({ quality: "hd" }),
        expect: saysError("unsupported_value", "quality"),
      },
      {
        name: "a parameter of other models",
        send: ask({ style: "natural" }),
        expect: saysError("unsupported_parameter", "style"),
      },
      {
        name: "a stream of links",
        send: ask({ response_format: "url", stream: true }),
        expect: saysError("invalid_value", "response_format"),
      },
      {
        name: "a transparent jpeg",
        send: ask({ background: "transparent", output_format: "jpeg" }),
        expect: saysError("invalid_value", "background"),
      },
      {
        name: "a compressed png",
        send: ask({ output_compression: 50 }),
        expect: saysError("invalid_value", "output_compression"),
      },
      {
        name: "a format of other models",
        send: ask({ output_format: "gif" }),
        expect: (body) =>
          expect(body.error).toMatchObject({
            code: "unsupported_value",
            param: "output_format",
            message:
              "Unsupported value: 'output_format' does not support 'gif' with this model. Supported values are: 'png', 'jpeg', 'webp'.",
          }),
      },
      {
        name: "frames of a still image",
        send: ask({ model: "newest", frame_count: 3 }),
        expect: saysError("invalid_value", "frame_count"),
      },
      {
        name: "more frames than there can be",
        send: ask({ model: "newest", output_format: "gif", frame_count: 17 }),
        expect: saysError("integer_above_max_value", "frame_count"),
      },
      {
        name: "an animation as a stream",
        send: ask({ model: "newest", output_format: "gif", stream: true }),
        expect: saysError("invalid_value", "stream"),
      },
      {
        name: "the author of a vector image without a name",
        send: ask({ model: "newest", output_format: "svg", svg: {} }),
        expect: saysError("missing_required_parameter", "svg.model"),
      },
      {
        name: "a safety identifier for a model without one",
        send: ask({ model: "dall-e", safety_identifier: "u" }),
        expect: saysError("unsupported_parameter", "safety_identifier"),
      },
      {
        name: "a boolean as text",
        send: ask({ stream: "true" }),
        expect: saysError("invalid_type", "stream"),
      },
      {
        name: "a field that does not exist",
        send: ask({ sampler: 1 }),
        expect: saysError("unknown_parameter", "sampler"),
      },
      {
        name: "a seed, where the model has none",
        send: ask({ seed: 1 }),
        expect: saysError("unsupported_parameter", "seed"),
      },
      {
        name: "a negative prompt, where the model has none",
        send: ask({ negative_prompt: "text" }),
        expect: saysError("unsupported_parameter", "negative_prompt"),
      },
      {
        name: "a model of another type",
        send: ask({ model: "other-type" }),
        expect: saysError("unsupported_operation", "model"),
      },
      {
        name: "a refusal by the upstream's moderation",
        send: ask({ model: "moderated" }),
        expect: (body) =>
          expect(body.error).toEqual({
            message: "Rejected by the safety system.",
            type: "image_generation_user_error",
            param: null,
            code: "moderation_blocked",
          }),
      },
    ],
    401: [
      {
        name: "a wrong key",
        send: ask({}, { headers: { authorization: "Bearer wrong" } }),
        expect: saysError("invalid_api_key"),
      },
    ],
    403: [
      {
        name: "a key that may not call the model",
        send: async () => ask({}, await context.restricted())(),
        expect: saysError("model_not_allowed", "model"),
      },
    ],
    404: [{ name: "an unknown model", send: ask({ model: "nope" }), expect: saysError("model_not_found") }],
    413: [
      {
        name: "a body over the limit",
        send: ask({ prompt: "a".repeat(100_001) }),
        expect: saysError("content_too_large"),
      },
    ],
    415: [
      {
        name: "another content type",
        send: ask({}, { headers: { "content-type": "text/plain" } }),
        expect: saysError("unsupported_content_type"),
      },
    ],
    429: [
      {
        name: "a throttled upstream",
        send: ask({ model: "status-429" }),
        expect: saysError("rate_limit_exceeded"),
      },
    ],
    500: [{ name: "a bug", send: ask({ model: "faulty" }), expect: saysError("internal_error") }],
    502: [
      { name: "a failing upstream", send: ask({ model: "status-500" }), expect: saysError("upstream_error") },
      {
        name: "a reply without an image",
        send: ask({ model: "no-images" }),
        expect: saysError("upstream_invalid_reply"),
      },
      {
        name: "a reply that is not JSON",
        send: ask({ model: "garbage" }),
        expect: saysError("upstream_invalid_reply"),
      },
    ],
    503: [
      {
        name: "an upstream that is not there",
        send: ask({ model: "gone" }),
        expect: saysError("upstream_unavailable"),
      },
    ],
    504: [
      {
        name: "an upstream that never replies",
        send: ask({ model: "stall" }),
        expect: saysError("upstream_timeout"),
      },
    ],
  } as const satisfies Record<number, Cases>;
}
