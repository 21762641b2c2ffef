import { describe, expect, test } from "vitest";
import { startGateway } from "../../gateway/in-process.js";
import { mp3, mp4, ogg, pdf, wav } from "../../sample-media.js";
import { bedrockCredentials } from "./bedrock/content-suites.js";
import { startFakeBedrock } from "./bedrock/fake-bedrock.js";
import { keyOf } from "./contents.js";
import { geminiKey, startFakeGemini } from "./gemini/fake-gemini.js";
import { jinaKey, startFakeJina } from "./jina/fake-jina.js";
import type { StrictServer } from "./strict-server.js";
import { unitVector } from "./unit-vectors.js";
import { startFakeVertex } from "./vertex/fake-vertex.js";
import { startFakeVoyage, voyageKey } from "./voyage/fake-voyage.js";

type Kind = "file" | "audio" | "video";
type Given = readonly [kind: Kind, file: Buffer];

interface Served {
  readonly provider: string;
  readonly start: () => Promise<{ readonly fake: StrictServer; readonly keys: string }>;
  readonly model: string;
  readonly width: number;
  readonly takes: readonly Given[];
  /** A file that is refused, and a part of the message. */
  readonly refuses: readonly (readonly [...Given, words: string])[];
}

const long = mp4(3600);

const served: readonly Served[] = [
  {
    provider: "gemini",
    start: async () => {
      const fake = await startFakeGemini();
      return { fake, keys: `baseUrl: "${fake.origin}/v1beta", apiKey: ${geminiKey}` };
    },
    model: "gemini-embedding-2",
    width: 3072,
    takes: [
      ["file", pdf(6)],
      ["audio", mp3(79)],
      ["video", mp4(119)],
    ],
    refuses: [
      ["file", pdf(7), "7 pages; the maximum for this model is 6"],
      ["audio", wav(81), "81 seconds; the maximum for this model is 80"],
      ["audio", ogg(1), "it is ogg; this model takes mp3, wav"],
      ["video", mp4(100, { hasSound: true }), "100 seconds; the maximum for this model is 80"],
      ["video", long, "3600 seconds; the maximum for this model is 120"],
    ],
  },
  {
    provider: "vertex",
    start: async () => {
      const fake = await startFakeVertex();
      const place = "project: a-project, location: europe-west4";
      return { fake, keys: `baseUrl: "${fake.origin}/v1", ${place}, credentialsFile: "${fake.keyFile}"` };
    },
    model: "gemini-embedding-2",
    width: 3072,
    takes: [
      ["file", pdf(2)],
      ["audio", wav(1)],
      ["video", mp4(3, { brand: "qt  " })],
    ],
    refuses: [["video", long, "the maximum for this model is 120"]],
  },
  {
    provider: "bedrock",
    start: async () => {
      const fake = await startFakeBedrock();
      return { fake, keys: `baseUrl: "${fake.origin}", ${bedrockCredentials}` };
    },
    model: "amazon.nova-2-multimodal-embeddings-v1:0",
    width: 3072,
    takes: [
      ["audio", ogg(2)],
      ["video", mp4(29, { hasSound: true })],
    ],
    refuses: [
      ["file", pdf(1), "it takes text, image, audio, video"],
      ["audio", wav(31), "31 seconds; the maximum for this model is 30"],
      ["video", long, "3600 seconds; the maximum for this model is 30"],
    ],
  },
  {
    provider: "voyage",
    start: async () => {
      const fake = await startFakeVoyage();
      return { fake, keys: `baseUrl: "${fake.origin}/v1", apiKey: ${voyageKey}` };
    },
    model: "voyage-multimodal-3.5",
    width: 1024,
    takes: [["video", mp4(20)]],
    refuses: [
      ["audio", wav(1), "it takes text, image, video"],
      ["video", mp4(20, { brand: "qt  " }), "it is mov; this model takes mp4"],
    ],
  },
  {
    provider: "jina",
    start: async () => {
      const fake = await startFakeJina();
      return { fake, keys: `baseUrl: "${fake.origin}/v1", apiKey: ${jinaKey}` };
    },
    model: "jina-embeddings-v5-omni-small",
    width: 1024,
    takes: [
      ["file", pdf(9)],
      ["audio", wav(3)],
      ["video", mp4(5)],
    ],
    refuses: [["video", long, "3600 seconds; the maximum for this model is 120"]],
  },
];

const partOf = ([kind, file]: Given) => ({
  type: `input_${kind}`,
  [`input_${kind}`]: { data: `data:a/b;base64,${file.toString("base64")}` },
});

describe.each(served)("media at $provider", ({ provider, start, model, width, takes, refuses }) => {
  test("go in its own form, each with its vector, and others are refused before a call", async () => {
    const { fake, keys } = await start();
    const inputType = provider === "bedrock" ? "inputType: document, " : "";
    const gateway = await startGateway(`
upstreams: { it: { provider: ${provider}, ${keys} } }
models: { m: { type: embedding, dimensions: ${width}, ${inputType}retries: { max: 0 }, targets: [{ upstream: it, model: "${model}" }] } }
`);
    const embed = async (...files: readonly Given[]) => {
      const input = files.map((file) => ({ content: [partOf(file)] }));
      const response = await gateway.sendJson("/v1/embeddings", { model: "m", input });
      return { status: response.status, body: (await response.json()) as Embedded };
    };

    const { status, body } = await embed(...takes);

    expect([status, body.error]).toEqual([200, undefined]);
    const wanted = takes.map(([, file]) => unitVector(keyOf([file]), { width, native: width }));
    expect(body.data?.map(({ embedding }) => embedding.map(rounded))).toEqual(
      wanted.map((vector) => vector.map(rounded)),
    );
    fake.bodies.length = 0;
    for (const [kind, file, words] of refuses) {
      const refused = await embed([kind, file]);
      expect([refused.status, refused.body.error?.message]).toEqual([400, expect.stringContaining(words)]);
    }
    expect(fake.bodies).toEqual([]);
    await gateway.stop();
    fake.close();
  });
});

interface Embedded {
  readonly data?: readonly { readonly embedding: readonly number[] }[];
  readonly error?: { readonly message: string };
}

/** Normalised vectors differ in the last digits. */
function rounded(value: number): number {
  return Math.round(value * 1e5);
}
