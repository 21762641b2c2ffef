import type { ImageInput } from "@model-gateway/domain/image-input";
import { type ImageProfile, mediaTypes } from "@model-gateway/domain/image-profile";
import type { ImageRequest } from "@model-gateway/domain/requests";
import type { OutgoingRequest, Send } from "../../http/send.js";
import type { ProviderOperations } from "../../provider.js";
import { encodeImageDocument } from "../images/image-body.js";
import { plainProfile } from "../images/image-profile.js";
import { listedSize } from "../images/image-refusals.js";
import { readGeneratedImage } from "./generated-image.js";

/** A size maps to its aspect ratio: the models choose the resolution themselves. */
const ratiosBySize: ReadonlyMap<string, string> = new Map([
  ["1024x1024", "1:1"],
  ["1536x1024", "3:2"],
  ["1024x1536", "2:3"],
  ["1152x864", "4:3"],
  ["864x1152", "3:4"],
  ["1280x1024", "5:4"],
  ["1024x1280", "4:5"],
  ["1920x1080", "16:9"],
  ["1080x1920", "9:16"],
  ["1344x576", "21:9"],
]);
/** Larger sizes, with Google's name for their resolution. */
const largeSizes: ReadonlyMap<string, { readonly aspectRatio: string; readonly imageSize: string }> = new Map(
  [
    ["2048x2048", { aspectRatio: "1:1", imageSize: "2K" }],
    ["3072x2048", { aspectRatio: "3:2", imageSize: "2K" }],
    ["2048x3072", { aspectRatio: "2:3", imageSize: "2K" }],
    ["4096x4096", { aspectRatio: "1:1", imageSize: "4K" }],
    ["6144x4096", { aspectRatio: "3:2", imageSize: "4K" }],
    ["4096x6144", { aspectRatio: "2:3", imageSize: "4K" }],
  ],
);

export const geminiImageProfile: ImageProfile = {
  ...plainProfile,
  name: "google-image",
  parameters: ["size"],
  sizes: ["auto", ...ratiosBySize.keys(), ...largeSizes.keys()],
  edits: true,
  maxImages: 14,
};

/** Creates and edits images at `generateContent`. */
export function createGeminiImageOperations(
  send: Send,
  pathOf: (model: string) => string,
): Required<Pick<ProviderOperations, "createImage" | "createImageEdit">> {
  return {
    createImage: async (request, call) =>
      readGeneratedImage(await send(contentRequest(pathOf(call.model), request, []), call), call),
    createImageEdit: async (request, call) =>
      readGeneratedImage(await send(contentRequest(pathOf(call.model), request, request.images), call), call),
  };
}

function contentRequest(
  path: string,
  { prompt, size }: Pick<ImageRequest, "prompt" | "size">,
  images: readonly ImageInput[],
): OutgoingRequest {
  const { headers, body } = encodeImageDocument((base64) => {
    const imageParts = images.map((image) => ({
      inlineData: { mimeType: mediaTypes[image.format], data: base64(image) },
    }));
    return {
      contents: [{ role: "user", parts: [{ text: prompt }, ...imageParts] }],
      generationConfig: { responseModalities: ["IMAGE"], imageConfig: imageConfigOf(size) },
    };
  });
  return { path: `${path}:generateContent`, headers, body };
}

function imageConfigOf(size: string | undefined): object | undefined {
  if (size === undefined || size === "auto") return undefined;
  return largeSizes.get(size) ?? { aspectRatio: listedSize(size, ratiosBySize) };
}
