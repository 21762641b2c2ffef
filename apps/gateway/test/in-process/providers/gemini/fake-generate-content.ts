import sharp from "sharp";
import { z } from "zod";
import { type FakeReply, type StrictRoute, strictRoute } from "../strict-server.js";

const ratios = ["1:1", "2:3", "3:2", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9", "21:9"] as const;

const body = z.strictObject({
  contents: z
    .array(
      z.strictObject({
        role: z.literal("user"),
        parts: z
          .array(
            z.union([
              z.strictObject({ text: z.string().min(1) }),
              z.strictObject({
                inlineData: z.strictObject({
                  mimeType: z.enum(["image/png", "image/jpeg", "image/webp"]),
                  data: z.base64().min(1),
                }),
              }),
            ]),
          )
          .min(1),
      }),
    )
    .length(1),
  generationConfig: z.strictObject({
    responseModalities: z.tuple([z.literal("IMAGE")]),
    imageConfig: z
      .strictObject({ aspectRatio: z.enum(ratios), imageSize: z.enum(["1K", "2K", "4K"]).optional() })
      .optional(),
  }),
});

/** The words of a prompt that this model does not accept, with its reply: each has status 200. */
const refusals: Readonly<Record<string, object>> = {
  "blocked prompt": { promptFeedback: { blockReason: "PROHIBITED_CONTENT" } },
  "blocked image": { candidates: [{ content: { parts: [] }, finishReason: "IMAGE_SAFETY", index: 0 }] },
  "no image": {
    candidates: [
      { content: { parts: [{ text: "I would rather not." }], role: "model" }, finishReason: "STOP" },
    ],
  },
};

/** A model that draws. With an image it returns that image. */
export async function generateContentRoute(): Promise<StrictRoute> {
  const images = new Map<string, string>();
  for (const ratio of ratios) {
    const [width = 1, height = 1] = ratio.split(":").map((side) => 8 * Number(side));
    const image = sharp({ create: { width, height, channels: 3, background: "teal" } });
    // The real ones may be png or jpeg.
    const content = await (ratio === "16:9" ? image.jpeg() : image.png()).toBuffer();
    images.set(ratio, content.toString("base64"));
  }
  return strictRoute({
    body,
    reply: ({ contents: [content], generationConfig }) => {
      const parts = content?.parts ?? [];
      const text = parts.flatMap((part) => ("text" in part ? [part.text] : [])).join(" ");
      const refusal = Object.entries(refusals).find(([words]) => text.includes(words));
      if (refusal !== undefined) return pretty(refusal[1]);
      const given = parts.flatMap((part) => ("inlineData" in part ? [part.inlineData.data] : []));
      const data = given[0] ?? images.get(generationConfig.imageConfig?.aspectRatio ?? "1:1");
      return pretty(drawn(data, given.length));
    },
  });
}

function drawn(data: string | undefined, imageCount: number): object {
  return {
    candidates: [
      {
        content: {
          role: "model",
          parts: [
            {
              inlineData: { mimeType: "image/png", data: "ZHJhZnQ=" },
              thought: true,
              thoughtSignature: "c2ln",
            },
            { text: "Here it is." },
            { inlineData: { mimeType: "image/png", data }, thoughtSignature: "c2ln" },
          ],
        },
        finishReason: "STOP",
        index: 0,
      },
    ],
    usageMetadata: {
      promptTokenCount: 10 + 258 * imageCount,
      candidatesTokenCount: 1290,
      thoughtsTokenCount: 100,
      totalTokenCount: 1400 + 258 * imageCount,
      promptTokensDetails: [
        { modality: "TEXT", tokenCount: 10 },
        ...(imageCount === 0 ? [] : [{ modality: "IMAGE", tokenCount: 258 * imageCount }]),
      ],
    },
    modelVersion: "gemini",
  };
}

/** Google writes every value on a separate line. */
export function pretty(value: object): FakeReply {
  return { headers: { "content-type": "application/json" }, body: JSON.stringify(value, null, 2) };
}

/** Google's own form of an error. */
export function googleError(
  status: number,
  { word, message, details = [] }: { word: string; message: string; details?: readonly object[] },
): FakeReply {
  return { status, body: { error: { code: status, message, status: word, details } } };
}

/** The refusal of an unknown field, or of one with the wrong type. */
export function refuseField(fault: {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}): FakeReply {
  const field = fault.path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`))
    .join("");
  return googleError(400, {
    word: "INVALID_ARGUMENT",
    message: `Invalid JSON payload received. ${fault.message}`,
    details: [
      {
        "@type": "type.googleapis.com/google.rpc.BadRequest",
        fieldViolations: [{ field: field.replace(/^\./, ""), description: fault.message }],
      },
    ],
  });
}

/** A token a word, and more for a long one. */
export function countGoogleTokens(text: string): number {
  return text.split(/\s+/).reduce((sum, word) => sum + Math.max(1, Math.ceil(word.length / 8)), 0);
}
