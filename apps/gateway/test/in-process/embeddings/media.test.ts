import type { Schemas } from "@model-gateway/domain/operations";
import { beforeEach, describe, expect, test } from "vitest";
import { tokensPerImage } from "../../fake-upstream/contents.mjs";
import { vectorOf } from "../../fake-upstream/vectors.mjs";
import { suiteGateway } from "../../gateway/suite.js";
import { testAdminKey } from "../../gateway/test-gateway.js";
import { flac, mp3, mp4, ogg, packedPdf, pdf, wav, webm } from "../../sample-media.js";
import { content, imagePart, textPart, tinyPng } from "./content-inputs.js";

const model = (keys: string, target: string) =>
  `{ type: embedding, dimensions: 8, tokenizer: cl100k_base, ${keys} targets: [{ upstream: fake, model: m, ${target} }] }`;
const all = "{ file: true, audio: true, video: true }";
const context = suiteGateway(
  ({ baseUrl }) => `
upstreams: { fake: { provider: openai-compatible, baseUrl: "${baseUrl}" } }
models:
  all: ${model("cache: { ttl: 1h },", `inputImages: true, inputMedia: ${all}`)}
  chat: ${model("", "inputImages: { form: messages }, inputMedia: { audio: true, video: true }")}
  images: ${model("", "inputImages: true")}
  text: ${model("", "")}
  short: ${model("", "inputImages: true, inputMedia: { file: { maxPages: 6 }, audio: { maxSeconds: 80, formats: [mp3, wav] }, video: { maxSeconds: 30, maxBytes: 500 } }")}
  apart: ${model("", "inputImages: { mixesParts: false }, inputMedia: { audio: true }")}
  priced: ${model("price: { perMillionTokens: 1000000, perInputPage: 0.5, perInputAudioSecond: 2, perMillionVideoTokens: 10000 },", `inputImages: true, inputMedia: ${all}`)}
`,
);
beforeEach(() => {
  context.upstream.follow({});
  context.upstream.received.length = 0;
});

const mimeTypes: Readonly<Record<string, string>> = {
  pdf: "application/pdf",
  wav: "audio/wav",
  mp3: "audio/mpeg",
  flac: "audio/flac",
  ogg: "audio/ogg",
  mp4: "video/mp4",
  mov: "video/quicktime",
  webm: "video/webm",
};

type Kind = "file" | "audio" | "video";
const part = (kind: Kind, data: string, rest: object = {}) => ({
  type: `input_${kind}`,
  [`input_${kind}`]: { data, ...rest },
});
const dataUrl = (file: Buffer, type = "application/octet-stream") =>
  `data:${type};base64,${file.toString("base64")}`;
/** A part as a caller sends it, and as the upstream gets it. */
const sent = (kind: Kind, file: Buffer) => part(kind, dataUrl(file));
const received = (kind: Kind, file: Buffer, format: string) =>
  part(kind, dataUrl(file, mimeTypes[format]), { format });
const contentOf = (...parts: readonly object[]) => ({ content: parts });

const embed = async (body: object, init?: RequestInit) => {
  const response = await context.gateway.sendJson("/v1/embeddings", body, init);
  const { data, error, usage } = (await response.json()) as Schemas["CreateEmbeddingResponse"] &
    Partial<Schemas["ErrorResponse"]>;
  const state = response.headers.get("x-gateway-cache");
  const vectors = data?.map(({ embedding }) => embedding);
  return { status: response.status, state, error, usage, vectors };
};

describe("a PDF, audio or a video in an input", () => {
  test.each<[Kind, string, Buffer]>([
    ["file", "pdf", packedPdf(3)],
    ["audio", "wav", wav(1)],
    ["audio", "mp3", mp3(1)],
    ["audio", "flac", flac(1)],
    ["audio", "ogg", ogg(1)],
    ["video", "mp4", mp4(3, { hasSound: true })],
    ["video", "mov", mp4(3, { brand: "qt  " })],
    ["video", "webm", webm(3)],
  ])("%s %s goes upstream with the type of its bytes", async (kind, format, file) => {
    const { status, vectors } = await embed({ model: "all", input: [contentOf(sent(kind, file))] });

    const input = contentOf(received(kind, file, format));
    expect([status, vectors]).toEqual([200, [vectorOf(input, 8)]]);
    expect(context.upstream.received[0]?.body.input).toEqual([input]);
  });

  test("has its place among texts, images and other inputs", async () => {
    const image = imagePart(tinyPng);
    const input = [
      "a text",
      contentOf(sent("audio", wav(2)), textPart("a song")),
      content(image),
      contentOf(textPart("a report"), sent("file", pdf(2)), image, sent("video", mp4(1))),
      contentOf(textPart("a song"), sent("audio", wav(2))),
    ];

    const { vectors } = await embed({ model: "all", input });

    const same = [
      "a text",
      contentOf(received("audio", wav(2), "wav"), textPart("a song")),
      content(image),
      contentOf(
        textPart("a report"),
        received("file", pdf(2), "pdf"),
        image,
        received("video", mp4(1), "mp4"),
      ),
      contentOf(textPart("a song"), received("audio", wav(2), "wav")),
    ];
    expect(vectors).toEqual(same.map((one) => vectorOf(one, 8)));
  });

  test("is cached by its bytes and its kind, whatever its URL says", async () => {
    const stateOf = async (...parts: readonly object[]) =>
      (await embed({ model: "all", input: [contentOf(...parts)] })).state;
    const said = part("audio", dataUrl(mp3(2), "audio/x"), { format: "mp3" });
    // The cache gets a vector after its response.
    await expect.poll(() => stateOf(sent("audio", mp3(2))), { timeout: 90_000 }).toBe("hit");

    expect(await stateOf(said)).toBe("hit");
    expect(await stateOf(part("audio", mp3(2).toString("base64")))).toBe("hit");
    expect(await stateOf(sent("audio", mp3(3)))).toBe("miss");
    expect(await stateOf(said, textPart("a"))).toBe("miss");
  });

  test("goes as a part of a chat message, where the target says so", async () => {
    const song = contentOf(textPart("a song"), sent("audio", ogg(1)), sent("video", webm(2)));

    const { status } = await embed({ model: "chat", input: [song] });

    expect([status, context.upstream.received[0]?.body]).toEqual([
      200,
      {
        model: "m",
        messages: [
          {
            role: "user",
            content: [
              textPart("a song"),
              { type: "audio_url", audio_url: { url: dataUrl(ogg(1), "audio/ogg") } },
              { type: "video_url", video_url: { url: dataUrl(webm(2), "video/webm") } },
            ],
          },
        ],
      },
    ]);
  });

  test("may be in a conversation", async () => {
    const messages = [{ role: "user", content: [sent("file", pdf(1)), textPart("a report")] }];

    const { vectors } = await embed({ model: "all", messages });

    expect(vectors).toEqual([vectorOf(contentOf(received("file", pdf(1), "pdf"), textPart("a report")), 8)]);
  });

  test("is in the usage by its tokens, and in the price by its pages, seconds or tokens", async () => {
    const admin = { headers: { authorization: `Bearer ${testAdminKey}` } };
    const created = await context.gateway.sendJson("/admin/v1/keys", { name: "media" }, admin);
    const { value, id } = (await created.json()) as Schemas["CreatedKey"];
    const input = [
      contentOf(sent("file", pdf(3)), textPart("12345")),
      contentOf(sent("audio", wav(1.5))),
      contentOf(sent("video", mp4(2))),
    ];

    const { usage } = await embed(
      { model: "priced", input },
      { headers: { authorization: `Bearer ${value}` } },
    );

    expect(usage).toEqual({
      prompt_tokens: 5 + 3 * tokensPerImage,
      total_tokens: 5 + 3 * tokensPerImage,
      prompt_tokens_details: {
        text_tokens: 5,
        image_tokens: 0,
        file_tokens: tokensPerImage,
        audio_tokens: tokensPerImage,
        video_tokens: tokensPerImage,
      },
    });
    const recorded = async () => {
      const records = await context.gateway.send(`/admin/v1/requests?key=${id}&status=200`, admin);
      return ((await records.json()) as Schemas["RequestList"]).data.map(({ cost_usd }) => cost_usd);
    };
    // Five tokens of text, three pages, a second and a half, and the tokens of the video.
    await expect.poll(recorded, { timeout: 90_000 }).toEqual([5 + 3 * 0.5 + 1.5 * 2 + 1]);
  });
});

describe("is refused by name before an upstream is called:", () => {
  const song = sent("audio", wav(1));
  const at = (kind: Kind, input = 0, index = 0) => `input[${input}].content[${index}].input_${kind}.data`;

  test.each<[string, string, readonly unknown[], string, string, string]>([
    [
      "audio for texts",
      "text",
      ["a", contentOf(song)],
      "input[1].content[0]",
      "unsupported_modality",
      "text alone",
    ],
    [
      "audio for images",
      "images",
      ["a", "b", contentOf(textPart("c"), song)],
      "input[2].content[1]",
      "unsupported_modality",
      "text, image",
    ],
    [
      "a PDF in a chat",
      "chat",
      [contentOf(sent("file", pdf(1)))],
      "input[0].content[0]",
      "unsupported_modality",
      "text, image, audio, video",
    ],
    [
      "text beside audio",
      "apart",
      [contentOf(song, textPart("a"))],
      "input[0].content[1]",
      "unsupported_modality",
      "one text or one file",
    ],
    [
      "two of a kind",
      "all",
      [contentOf(song, song)],
      "input[0].content",
      "array_above_max_length",
      "at most 1",
    ],
    [
      "too many pages",
      "short",
      [contentOf(sent("file", pdf(7)))],
      at("file"),
      "invalid_media_file",
      "it has 7 pages; the maximum for this model is 6",
    ],
    [
      "very many pages",
      "all",
      [contentOf(sent("file", pdf(1100)))],
      at("file"),
      "invalid_media_file",
      "more than 1000 pages; the maximum for this model is 100",
    ],
    [
      "a long sound",
      "short",
      ["a", contentOf(sent("audio", mp3(80.1)))],
      at("audio", 1),
      "invalid_media_file",
      "it has 80.2 seconds; the maximum for this model is 80",
    ],
    [
      "a long video",
      "short",
      [contentOf(sent("video", mp4(3600)))],
      at("video"),
      "invalid_media_file",
      "it has 3600 seconds; the maximum for this model is 30",
    ],
    [
      "a large video",
      "short",
      [contentOf(sent("video", Buffer.concat([mp4(1), Buffer.alloc(500)])))],
      at("video"),
      "invalid_media_file",
      "the maximum for this model is 500",
    ],
    [
      "a format of others",
      "short",
      [contentOf(sent("audio", ogg(1)))],
      at("audio"),
      "invalid_media_file",
      "it is ogg; this model takes mp3, wav",
    ],
    [
      "another format than said",
      "all",
      [contentOf(part("audio", dataUrl(wav(1)), { format: "mp3" }))],
      at("audio"),
      "invalid_media_file",
      "said to be mp3, but it is wav",
    ],
    [
      "a sound that is a video",
      "all",
      [contentOf(sent("audio", mp4(1)))],
      at("audio"),
      "unsupported_file_mimetype",
      "'audio/wav'",
    ],
    [
      "a text that is a PDF",
      "all",
      [contentOf(sent("file", Buffer.from("hello")))],
      at("file"),
      "unsupported_file_mimetype",
      "application/pdf",
    ],
    [
      "a damaged PDF",
      "all",
      [contentOf(sent("file", pdf(2).subarray(0, -60)))],
      at("file"),
      "invalid_media_file",
      "cannot be counted",
    ],
    [
      "a private address",
      "all",
      [contentOf(part("video", "https://10.0.0.1/a.mp4"))],
      at("video"),
      "invalid_image_url",
      "",
    ],
    [
      "http",
      "all",
      [contentOf(part("video", "http://example.com/a.mp4"))],
      at("video"),
      "invalid_image_url",
      "https",
    ],
    [
      "no data",
      "all",
      [contentOf({ type: "input_file", input_file: {} })],
      "input[0].content[0].input_file.data",
      "missing_required_parameter",
      "",
    ],
    [
      "an unknown format",
      "all",
      [contentOf(part("file", "a", { format: "docx" }))],
      "input[0].content[0].input_file.format",
      "invalid_value",
      "",
    ],
  ])("%s", async (_name, name, input, param, code, words) => {
    const { status, error } = await embed({ model: name, input });

    expect([status, error]).toEqual([
      400,
      expect.objectContaining({ param, code, message: expect.stringContaining(words) }),
    ]);
    expect(context.upstream.received).toEqual([]);
  });
});

test("a model lists what it takes", async () => {
  const capabilities = async (name: string) => {
    const response = await context.gateway.send(`/v1/models/${name}`);
    const { embedding } = (await response.json()) as Schemas["Model"];
    return [embedding?.input_modalities, embedding?.input_media];
  };
  const limits = { max_per_input: 1, max_bytes: 20_971_520, max_pages: null, max_seconds: null };

  expect(await capabilities("images")).toEqual([["text", "image"], null]);
  expect(await capabilities("short")).toEqual([
    ["text", "image", "file", "audio", "video"],
    {
      file: { ...limits, formats: ["pdf"], max_pages: 6 },
      audio: { ...limits, formats: ["mp3", "wav"], max_seconds: 80 },
      video: { ...limits, formats: ["mp4", "mov", "webm"], max_bytes: 500, max_seconds: 30 },
    },
  ]);
  expect(await capabilities("apart")).toEqual([
    ["text", "image", "audio"],
    {
      file: null,
      audio: { ...limits, formats: ["wav", "mp3", "flac", "ogg"], max_seconds: 300 },
      video: null,
    },
  ]);
});
