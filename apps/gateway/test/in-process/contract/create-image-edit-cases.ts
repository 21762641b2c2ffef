import sharp from "sharp";
import { expect } from "vitest";
import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import { type ContractCase, saysError } from "./contract.js";
import type { ContractGateway } from "./gateway.js";

const path = "/v1/images/edits";
const png = (type = "image/png") => new Blob([new Uint8Array(tinyPng)], { type });
const jpegBytes = await sharp({ create: { width: 1, height: 1, channels: 3, background: "red" } })
  .jpeg()
  .toBuffer();
const jpeg = new Blob([new Uint8Array(jpegBytes)], { type: "image/jpeg" });
const largePng = await sharp({ create: { width: 2, height: 2, channels: 4, background: "red" } })
  .png()
  .toBuffer();
const opaquePng = await sharp({ create: { width: 1, height: 1, channels: 3, background: "red" } })
  .png()
  .toBuffer();
const dataUrl = `data:image/png;base64,${tinyPng.toString("base64")}`;

type Part = readonly [name: string, value: string | Blob];
const asked: readonly Part[] = [
  ["model", "image"],
  ["prompt", "a fox"],
];

type Cases = readonly [ContractCase, ...ContractCase[]];

/** The requirements for edits, whether the request is served at once or by a job. */
export function createImageEditCases(context: ContractGateway) {
  const sendForm = (parts: readonly Part[], init: RequestInit = {}) => {
    const form = new FormData();
    for (const [name, value] of parts)
      typeof value === "string" ? form.append(name, value) : form.append(name, value, "upload");
    return context.gateway.send(path, { method: "POST", body: form, ...init });
  };
  const form =
    (...parts: Part[]) =>
    () =>
      sendForm([...asked, ...parts]);
  const newest =
    (...parts: Part[]) =>
    () =>
      sendForm([["model", "newest"], ["prompt", "a fox"], ...parts]);
  const json =
    (fields: object, init: RequestInit = {}) =>
    () =>
      context.gateway.sendJson(
        path,
        { model: "image", prompt: "a fox", images: [{ image_url: dataUrl }], ...fields },
        init,
      );
  const files = () =>
    context.upstream.received
      .at(-1)
      ?.parts.flatMap(({ name, filename, type }) =>
        filename === undefined ? [] : [{ name, filename, type }],
      );
  return {
    200: [
      {
        name: "one image is sent on under image, byte for byte",
        send: form(["image", png()]),
        expect: () => {
          expect(files()).toEqual([{ name: "image", filename: "image.png", type: "image/png" }]);
          expect(context.upstream.received.at(-1)?.parts.at(-1)?.content).toEqual(tinyPng);
        },
      },
      {
        name: "a repeated image is sent on as image[]",
        send: form(["image", png()], ["image", jpeg]),
        expect: () =>
          expect(files()).toEqual([
            { name: "image[]", filename: "image.png", type: "image/png" },
            { name: "image[]", filename: "image.jpeg", type: "image/jpeg" },
          ]),
      },
      {
        name: "image[]",
        send: form(["image[]", png()], ["image[]", png()]),
        expect: () => expect(files()).toHaveLength(2),
      },
      {
        name: "image[1] and image[0] come in their order",
        send: form(["image[1]", jpeg], ["image[0]", png()]),
        expect: () => expect(files()?.map((file) => file.type)).toEqual(["image/png", "image/jpeg"]),
      },
      {
        name: "files before fields",
        send: () => sendForm([["image", png()], ["mask", png()], ...asked]),
        expect: () => expect(files()?.map((file) => file.name)).toEqual(["image", "mask"]),
      },
      {
        name: "an octet-stream is known by its first bytes",
        send: form(["image", png("application/octet-stream")]),
        expect: () => expect(files()?.[0]?.type).toBe("image/png"),
      },
      {
        name: "numbers and booleans as text",
        send: form(
          ["image", png()],
          ["n", "2"],
          ["output_compression", "100"],
          ["stream", "False"],
          ["response_format", "b64_json"],
        ),
        expect: (body) => {
          expect(body.data).toHaveLength(2);
          expect(context.upstream.received.at(-1)?.body).toEqual({
            model: "image",
            prompt: "a fox",
            n: "2",
            output_compression: "100",
          });
        },
      },
      {
        name: "a chunked form",
        send: async () => {
          const whole = new Request("http://x", {
            method: "POST",
            body: formOf([...asked, ["image", png()]]),
          });
          return context.gateway.send(path, {
            method: "POST",
            body: whole.body,
            duplex: "half",
            headers: { "content-type": whole.headers.get("content-type") ?? "" },
          } as RequestInit);
        },
      },
      {
        name: "Python's True asks for a stream",
        send: form(["image", png()], ["stream", "True"], ["partial_images", "1"]),
        expect: (events) =>
          expect(events.map(({ event }: { event: string }) => event)).toEqual([
            "image_edit.partial_image",
            "image_edit.completed",
          ]),
      },
      {
        name: "the JSON form, with data URLs",
        send: json({ mask: { image_url: dataUrl }, n: 1 }),
        expect: () => expect(files()?.map((file) => file.name)).toEqual(["image", "mask"]),
      },
      {
        name: "null parameters of the JSON form are absent",
        send: json({ n: null, size: null, quality: null, input_fidelity: null, stream: null, user: null }),
        expect: () =>
          expect(context.upstream.received.at(-1)?.body).toEqual({ model: "image", prompt: "a fox" }),
      },
      {
        name: "a safety identifier, which the completed event repeats",
        send: form(["image", png()], ["safety_identifier", "u-1"], ["stream", "true"]),
        expect: (events) => {
          expect(events.at(-1).data.safety_identifier).toBe("u-1");
          expect(context.upstream.received.at(-1)?.body.safety_identifier).toBe("u-1");
        },
      },
      {
        name: "markup is sent on under its name",
        send: newest(["image", png()], ["markup", png()]),
        expect: () =>
          expect(files()).toEqual([
            { name: "image", filename: "image.png", type: "image/png" },
            { name: "markup", filename: "markup.png", type: "image/png" },
          ]),
      },
      {
        name: "markup in JSON is sent on as a file",
        send: json({ model: "newest", markup: { image_url: dataUrl } }),
        expect: () => {
          expect(files()?.map((file) => file.name)).toEqual(["image", "markup"]);
          expect(context.upstream.received.at(-1)?.parts.at(-1)?.content).toEqual(tinyPng);
        },
      },
      {
        name: "an animation, with its frames and its complexity",
        send: newest(
          ["image", png()],
          ["output_format", "gif"],
          ["frame_count", "2"],
          ["frame_duration_ms", "90"],
          ["complexity", "high"],
        ),
        expect: (body) => {
          expect(body.output_format).toBe("gif");
          expect(context.upstream.received.at(-1)?.body).toEqual({
            model: "newest",
            prompt: "a fox",
            output_format: "gif",
            frame_count: "2",
            frame_duration_ms: "90",
            complexity: "high",
          });
        },
      },
      {
        name: "moderation goes upstream as JSON, the form that has it",
        send: form(["image", png()], ["mask", png()], ["moderation", "low"]),
        expect: () => {
          expect(context.upstream.received.at(-1)?.headers["content-type"]).toBe("application/json");
          expect(context.upstream.received.at(-1)?.body).toEqual({
            model: "image",
            prompt: "a fox",
            moderation: "low",
            images: [{ image_url: dataUrl }],
            mask: { image_url: dataUrl },
          });
        },
      },
      {
        name: "the default moderation is left out, so that the form stays one",
        send: json({ moderation: "auto" }),
        expect: () => {
          expect(files()).toHaveLength(1);
          expect(context.upstream.received.at(-1)?.body).toEqual({ model: "image", prompt: "a fox" });
        },
      },
    ],
    400: [
      {
        name: "a request that the upstream refuses",
        send: json({ model: "status-400" }),
        expect: saysError("upstream_rejected"),
      },
      { name: "no image", send: form(), expect: saysError("missing_required_parameter", "image") },
      {
        name: "no prompt",
        send: () =>
          sendForm([
            ["model", "image"],
            ["image", png()],
          ]),
        expect: saysError("missing_required_parameter", "prompt"),
      },
      {
        name: "text in the place of an image",
        send: form(["image", "not a file"]),
        expect: saysError("invalid_type", "image"),
      },
      {
        name: "text in place of one of several",
        send: form(["image[]", "not a file"]),
        expect: saysError("invalid_type", "image[0]"),
      },
      {
        name: "text in the place of a mask",
        send: form(["image", png()], ["mask", "x"]),
        expect: saysError("invalid_type", "mask"),
      },
      {
        name: "a file in the place of text",
        send: form(["image", png()], ["size", png()]),
        expect: saysError("invalid_type", "size"),
      },
      {
        name: "a file that is not an image",
        send: form(["image", new Blob(["hello"], { type: "image/png" })]),
        expect: saysError("unsupported_file_mimetype", "image"),
      },
      {
        name: "an empty file",
        send: form(["image", png()], ["image", new Blob([])]),
        expect: saysError("unsupported_file_mimetype", "image[1]"),
      },
      {
        name: "a mask that is not a PNG",
        send: form(["image", png()], ["mask", jpeg]),
        expect: saysError("unsupported_file_mimetype", "mask"),
      },
      {
        name: "a mask of another size",
        send: form(["image", png()], ["mask", new Blob([new Uint8Array(largePng)])]),
        expect: saysError("invalid_image_file", "mask"),
      },
      {
        name: "a mask without transparency",
        send: form(["image", png()], ["mask", new Blob([new Uint8Array(opaquePng)])]),
        expect: saysError("invalid_image_file", "mask"),
      },
      {
        name: "an image that breaks off",
        send: form(["image", new Blob([new Uint8Array(largePng.subarray(0, 40))])]),
        expect: saysError("invalid_image_file", "image"),
      },
      {
        name: "two masks",
        send: form(["image", png()], ["mask", png()], ["mask", png()]),
        expect: saysError("duplicate_parameter", "mask"),
      },
      {
        name: "a field sent twice",
        send: form(["image", png()], ["n", "1"], ["n", "2"]),
        expect: saysError("duplicate_parameter", "n"),
      },
      {
        name: "a field that does not exist",
        send: form(["image", png()], ["sampler", "1"]),
        expect: saysError("unknown_parameter", "sampler"),
      },
      {
        name: "a file that does not exist",
        send: form(["image", png()], ["video", png()]),
        expect: saysError("unknown_parameter", "video"),
      },
      {
        name: "an invalid number",
        send: form(["image", png()], ["n", "two"]),
        expect: saysError("invalid_type", "n"),
      },
      {
        name: "a number out of range",
        send: form(["image", png()], ["n", "11"]),
        expect: saysError("integer_above_max_value", "n"),
      },
      {
        name: "17 images",
        send: form(...Array.from({ length: 17 }, (): Part => ["image[]", png()])),
        expect: saysError("array_above_max_length", "image"),
      },
      {
        name: "18 files",
        send: form(...Array.from({ length: 18 }, (): Part => ["image[]", png()])),
        expect: saysError("array_above_max_length", "image"),
      },
      {
        name: "a form without a boundary",
        send: () =>
          context.gateway.send(path, {
            method: "POST",
            body: "x",
            headers: { "content-type": "multipart/form-data" },
          }),
        expect: saysError("invalid_form"),
      },
      {
        name: "a form that breaks off",
        send: () =>
          context.gateway.send(path, {
            method: "POST",
            body: '--b\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\nabc',
            headers: { "content-type": "multipart/form-data; boundary=b" },
          }),
        expect: saysError("invalid_form"),
      },
      {
        name: "no images in the JSON form",
        send: json({ images: [] }),
        expect: saysError("empty_array", "images"),
      },
      {
        name: "a link to a private address",
        send: json({ images: [{ image_url: "https://127.0.0.1/a.png" }] }),
        expect: saysError("invalid_image_url", "images[0].image_url"),
      },
      {
        name: "a data URL that is not an image",
        send: json({ images: [{ image_url: "data:image/png;base64,aGVsbG8=" }] }),
        expect: saysError("unsupported_file_mimetype", "images[0].image_url"),
      },
      {
        name: "a file id, which the gateway has none of",
        send: json({ images: [{ file_id: "file-1" }] }),
        expect: (body) =>
          expect(body.error).toMatchObject({
            code: "unsupported_parameter",
            param: "images[0].file_id",
            message:
              "Unsupported parameter: 'images[0].file_id'. The gateway stores no files; send 'image_url' with a data URL or a link.",
          }),
      },
      {
        name: "a mask by its file id",
        send: json({ mask: { file_id: "file-1" } }),
        expect: saysError("unsupported_parameter", "mask.file_id"),
      },
      {
        name: "neither a file id nor a link",
        send: json({ images: [{}] }),
        expect: saysError("missing_required_parameter", "images[0].image_url"),
      },
      {
        name: "a quality that only generations have, even for the model that has it there",
        send: json({ model: "dall-e", quality: "hd" }),
        expect: saysError("invalid_value", "quality"),
      },
      {
        name: "a vector image",
        send: json({ model: "newest", output_format: "svg" }),
        expect: saysError("invalid_value", "output_format"),
      },
      {
        name: "markup for a model without it",
        send: form(["image", png()], ["markup", png()]),
        expect: saysError("unsupported_parameter", "markup"),
      },
      {
        name: "markup and a mask",
        send: newest(["image", png()], ["markup", png()], ["mask", png()]),
        expect: saysError("invalid_value", "markup"),
      },
      {
        name: "markup in JSON for a model without it",
        send: json({ markup: { image_url: dataUrl } }),
        expect: saysError("unsupported_parameter", "markup"),
      },
      {
        name: "markup and a mask in JSON",
        send: json({ model: "newest", markup: { image_url: dataUrl }, mask: { image_url: dataUrl } }),
        expect: saysError("invalid_value", "markup"),
      },
      {
        name: "markup in JSON that is not an image",
        send: json({ model: "newest", markup: { image_url: "data:image/png;base64,AA==" } }),
        expect: saysError("unsupported_file_mimetype", "markup.image_url"),
      },
      {
        name: "markup by its file id",
        send: json({ model: "newest", markup: { file_id: "file-1" } }),
        expect: saysError("unsupported_parameter", "markup.file_id"),
      },
      {
        name: "markup of another size",
        send: newest(["image", png()], ["markup", new Blob([new Uint8Array(largePng)])]),
        expect: saysError("invalid_image_file", "markup"),
      },
      {
        name: "markup twice",
        send: newest(["image", png()], ["markup", png()], ["markup", png()]),
        expect: saysError("duplicate_parameter", "markup"),
      },
      {
        name: "text in the place of markup",
        send: newest(["image", png()], ["markup", "x"]),
        expect: saysError("invalid_type", "markup"),
      },
      {
        name: "an animation with a mask",
        send: newest(["image", png()], ["mask", png()], ["output_format", "gif"]),
        expect: saysError("invalid_value", "mask"),
      },
      {
        name: "markup and moderation, which no form of an edit has together",
        send: newest(["image", png()], ["markup", png()], ["moderation", "low"]),
        expect: saysError("invalid_value", "markup"),
      },
    ],
    401: [
      {
        name: "a wrong key",
        send: () => sendForm(asked, { headers: { authorization: "Bearer wrong" } }),
        expect: saysError("invalid_api_key"),
      },
    ],
    403: [
      {
        name: "a key that may not call the model",
        send: async () => sendForm([...asked, ["image", png()]], await context.restricted()),
        expect: saysError("model_not_allowed", "model"),
      },
    ],
    404: [
      {
        name: "an unknown model",
        send: () =>
          sendForm([
            ["model", "nope"],
            ["prompt", "a"],
            ["image", png()],
          ]),
        expect: saysError("model_not_found"),
      },
    ],
    409: [
      {
        name: "an Idempotency-Key with another image",
        send: async () => {
          const headers = { "idempotency-key": "taken" };
          await sendForm([...asked, ["image", png()]], { headers });
          return sendForm([...asked, ["image", jpeg]], { headers });
        },
        expect: saysError("idempotency_conflict"),
      },
    ],
    413: [
      {
        name: "an image over the limit",
        send: form(["image", new Blob([new Uint8Array(100_001)])]),
        expect: saysError("content_too_large", "image"),
      },
      {
        name: "a field over the limit",
        send: form(["user", "a".repeat(300_000)]),
        expect: saysError("content_too_large", "user"),
      },
      {
        name: "a form over the limit, by its declared length",
        send: form(["image", new Blob([new Uint8Array(20_000_000)])]),
        expect: saysError("content_too_large"),
      },
      {
        name: "JSON over the limit",
        send: json({ prompt: "a".repeat(100_001) }),
        expect: saysError("content_too_large"),
      },
    ],
    415: [
      {
        name: "another content type",
        send: () =>
          context.gateway.send(path, {
            method: "POST",
            body: "x",
            headers: { "content-type": "text/plain" },
          }),
        expect: saysError("unsupported_content_type"),
      },
    ],
    429: [
      {
        name: "a throttled upstream",
        send: json({ model: "status-429" }),
        expect: saysError("rate_limit_exceeded"),
      },
    ],
    500: [{ name: "a bug", send: json({ model: "faulty" }), expect: saysError("internal_error") }],
    502: [
      {
        name: "a failing upstream",
        send: json({ model: "status-500" }),
        expect: saysError("upstream_error"),
      },
    ],
    503: [
      {
        name: "an upstream that is not there",
        send: json({ model: "gone" }),
        expect: saysError("upstream_unavailable"),
      },
    ],
    504: [
      {
        name: "an upstream that never replies",
        send: json({ model: "stall" }),
        expect: saysError("upstream_timeout"),
      },
    ],
  } as const satisfies Record<number, Cases>;
}

function formOf(parts: readonly Part[]): FormData {
  const data = new FormData();
  for (const [name, value] of parts)
    typeof value === "string" ? data.append(name, value) : data.append(name, value, "upload");
  return data;
}
