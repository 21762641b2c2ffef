import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";
import {
  embeds,
  type FakePart,
  type ImageType,
  imageNumber,
  imagePart,
  imagesIn,
  inputOf,
  keyOf,
} from "./contents.js";
import type { FakeReply, StrictServer } from "./strict-server.js";
import { roughly, unitVector } from "./unit-vectors.js";

/** The requirements for every provider that takes images in inputs, through a running gateway. */
export interface ContentSuite {
  readonly provider: string;
  readonly pathPrefix: string;
  readonly start: () => Promise<StrictServer>;
  /** The settings that authenticate, and those that do not. */
  readonly credentials: string | (() => string);
  readonly wrongCredentials: string | (() => string);
  readonly model: { readonly name: string; readonly native: number };
  /** More keys of the model, or of its target. */
  readonly modelKeys?: string;
  readonly targetKeys?: string;
  /** The types that are sent as they are. */
  readonly imageTypes: readonly ImageType[];
  /** The most images of one input, or that an input is one text or one image. */
  readonly imagesPerInput: number | "one part";
  /** The most inputs with images in one call, and their most images. */
  readonly perCall: { readonly inputs: number; readonly images: number };
  /** The parts of the inputs in the body of a call. */
  readonly inputsOf: (body: unknown) => readonly (readonly FakePart[])[];
  /** Whether the form of a reply has a single vector. */
  readonly hasOneVector?: true;
  /** A reply with these vectors. */
  readonly replyWith: (vectors: readonly (readonly number[])[]) => FakeReply;
  /** A refusal of the second input of a call, or of the only one. */
  readonly refusal: FakeReply;
  /** Tokens of an image, as the provider reports them. Absent: it does not. */
  readonly imageTokens?: number;
}

export function describeContents(suite: ContentSuite): void {
  const { model, imagesPerInput, perCall } = suite;
  describe(`${suite.provider} with ${model.name} and images, through the gateway`, () => {
    let fake: StrictServer;
    let gateway: InProcessGateway;

    beforeAll(async () => {
      fake = await suite.start();
      gateway = await startGateway(configOf(suite, fake.origin));
    });
    beforeEach(() => {
      fake.bodies.length = 0;
    });
    afterAll(async () => {
      await gateway.stop();
      fake.close();
    });

    const send = (input: unknown, more: object = {}) =>
      gateway.sendJson("/v1/embeddings", { model: "m", input, ...more });
    const embed = async (input: unknown, more: object = {}): Promise<Embedded> => {
      const response = await send(input, more);
      const text = await response.text();
      expect([response.status, response.status === 200 ? "" : text]).toEqual([200, ""]);
      return JSON.parse(text);
    };
    const vector = (...parts: FakePart[]) =>
      unitVector(keyOf(parts), { width: model.native, native: model.native });
    const errorOf = async (response: Response) => ({
      status: response.status,
      ...((await response.json()) as { error: object }).error,
    });

    test("an image has its own vector, in both forms", async () => {
      const image = await imageNumber(1);
      const input = [{ content: [imagePart(image)] }];

      const numbers = await embed(input);
      const base64 = await embed(input, { encoding_format: "base64" });

      expect(numbers.data[0]?.embedding).toEqual(roughly(vector(image)));
      expect(positionsOf(base64, [vector(image)])).toEqual([0]);
      if (suite.imageTokens !== undefined)
        expect(numbers.usage).toMatchObject({
          prompt_tokens: suite.imageTokens,
          prompt_tokens_details: { image_tokens: suite.imageTokens },
        });
    });

    test("texts and images keep their positions, and calls their limits", async () => {
      const images = await Promise.all(Array.from({ length: 20 }, (_, number) => imageNumber(number + 10)));
      const inputs = images.flatMap((image, index): FakePart[][] => [[image], [`text ${index}`]]);

      const { data } = await embed(inputs.map(inputOf), { encoding_format: "base64" });

      const vectors = inputs.map((parts) => vector(...parts));
      expect(positionsOf({ data }, vectors)).toEqual([...inputs.keys()]);
      const calls = fake.bodies
        .map((body) => suite.inputsOf(body))
        .filter((call) => call.some((parts) => imagesIn(parts).length > 0));
      expect(Math.max(...calls.map((call) => call.length))).toBeLessThanOrEqual(perCall.inputs);
      expect(Math.max(...calls.map((call) => call.flatMap(imagesIn).length))).toBeLessThanOrEqual(
        perCall.images,
      );
      expect(calls.flat()).toHaveLength(20);
    });

    if (imagesPerInput === "one part")
      test("several parts in one input are refused by name, and nothing is sent", async () => {
        const image = imagePart(await imageNumber(2));

        const response = await send(["a", { content: [image, { type: "text", text: "b" }] }]);

        expect(await errorOf(response)).toMatchObject({
          status: 400,
          code: "unsupported_modality",
          param: "input[1].content[1]",
        });
        expect(fake.bodies).toEqual([]);
      });
    else {
      test("the parts of one input have one vector, and their order counts", async () => {
        const image = await imageNumber(3);
        const others = await Promise.all(
          // An input may have 16 parts.
          Array.from({ length: Math.min(imagesPerInput, 15) - 1 }, (_, number) => imageNumber(100 + number)),
        );
        const inputs: FakePart[][] = [["a fox", image, ...others], ["another fox", image], [image]];

        const { data } = await embed(inputs.map(inputOf), { encoding_format: "base64" });

        const vectors = inputs.map((parts) => vector(...parts));
        expect(positionsOf({ data }, vectors)).toEqual([...inputs.keys()]);
      });

      test("more images than an input may have are refused by name", async () => {
        const image = imagePart(await imageNumber(4));
        if (imagesPerInput >= 16) return;

        const response = await send([{ content: Array.from({ length: imagesPerInput + 1 }, () => image) }]);

        expect(await errorOf(response)).toMatchObject({ status: 400, param: "input[0].content" });
        expect(fake.bodies).toEqual([]);
      });
    }

    test.each(["png", "jpeg", "webp"] as const)("%s is sent as it is, or as png", async (type) => {
      const image = await imageNumber(5, type);

      const { data } = await embed([{ content: [imagePart(image, type)] }]);

      const [sent = Buffer.alloc(0)] = suite.inputsOf(fake.bodies[0]).flatMap(imagesIn);
      if (suite.imageTypes.includes(type)) expect(sent.equals(image)).toBe(true);
      else expect(await pixelsOf(sent)).toEqual(await pixelsOf(image));
      expect(data[0]?.embedding).toEqual(roughly(vector(sent)));
    });

    const lies: [string, number[][]][] = [
      ["fewer vectors than inputs", []],
      ["a vector of another width", [[0.6, 0.8]]],
    ];
    if (!suite.hasOneVector) lies.push(["more vectors than inputs", [vector("a"), vector("b")]]);
    test.each(lies)("a reply with %s is not a success", async (_name, vectors) => {
      fake.scripted.push(suite.replyWith(vectors));

      const response = await send([{ content: [imagePart(await imageNumber(6))] }], { model: "lies" });

      expect(await errorOf(response)).toMatchObject({ status: 502, code: "upstream_invalid_reply" });
    });

    test("a refused input is a 400 with its name", async () => {
      const images = [await imageNumber(7), await imageNumber(8)].slice(0, perCall.inputs);
      fake.scripted.push(suite.refusal);

      const response = await send(
        images.map((image) => ({ content: [imagePart(image)] })),
        { model: "refused" },
      );

      const param = images.length === 1 ? "input[0]" : "input[1]";
      expect(await errorOf(response)).toMatchObject({ status: 400, param });
    });

    test("a refused key is the gateway's fault", async () => {
      const response = await send([{ content: [imagePart(await imageNumber(9))] }], { model: "wrong-key" });

      expect(await errorOf(response)).toMatchObject({ status: 502, code: "upstream_auth_error" });
    });
  });
}

interface Embedded {
  readonly data: readonly { readonly embedding: number[] | string }[];
  readonly usage: object;
}

/** Which of these vectors each base64 of a response is, or -1. */
function positionsOf({ data }: Pick<Embedded, "data">, vectors: readonly number[][]): number[] {
  return data.map(({ embedding }) => vectors.findIndex((vector) => embeds(embedding, vector)));
}

function pixelsOf(image: Buffer): Promise<Buffer> {
  return sharp(image).removeAlpha().raw().toBuffer();
}

/** The models have separate targets, because a failure counts against its target. */
function configOf(suite: ContentSuite, origin: string): string {
  const upstreams = { m: "good", lies: "lies", refused: "refused", "wrong-key": "wrong" };
  const models = Object.entries(upstreams).map(([name, upstream]) => ({
    name,
    upstreams: [upstream],
    keys: "retries: { max: 0 }",
  }));
  return contentConfig(suite, origin, models);
}

export interface ConfiguredModel {
  readonly name: string;
  /** Those that are called `wrong` have wrong credentials. */
  readonly upstreams: readonly string[];
  readonly keys: string;
  readonly targetKeys?: string;
}

export function contentConfig(
  suite: ContentSuite,
  origin: string,
  configured: readonly ConfiguredModel[],
): string {
  const { provider, pathPrefix, model, modelKeys = "" } = suite;
  const names = new Set(configured.flatMap(({ upstreams }) => upstreams));
  const upstreams = [...names].map((name) => {
    const given = name === "wrong" ? suite.wrongCredentials : suite.credentials;
    const credentials = typeof given === "string" ? given : given();
    return `  ${name}: { provider: ${provider}, baseUrl: "${origin}${pathPrefix}", ${credentials} }\n`;
  });
  const models = configured.map(({ name, upstreams, keys, targetKeys = suite.targetKeys ?? "" }) => {
    const targets = upstreams.map(
      (upstream) => `{ upstream: ${upstream}, model: "${model.name}"${targetKeys} }`,
    );
    return `  ${name}:
    type: embedding
    dimensions: ${model.native}
    ${keys}
${modelKeys}
    targets: [${targets.join(", ")}]
`;
  });
  return `upstreams:\n${upstreams.join("")}models:\n${models.join("")}`;
}
