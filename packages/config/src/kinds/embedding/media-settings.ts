import { contentImageBytesMax } from "@model-gateway/domain/content-input";
import { mediaFormats } from "@model-gateway/domain/media-input";
import { positive } from "@model-gateway/domain/settings";
import { z } from "zod";

/* The documents, audio and video in the inputs of a target, as an operator writes them. */

const common = {
  maxPerInput: positive.max(16).optional().describe("Maximum number in one input. Default: 1."),
  maxBytes: positive
    .max(contentImageBytesMax)
    .optional()
    .describe("Maximum size of one file, in bytes. Default: 20971520."),
};

function formatsOf<F extends string>(formats: readonly [F, ...F[]]) {
  return z
    .array(z.enum(formats))
    .min(1)
    .optional()
    .describe(`The formats that the upstream takes. Default: ${formats.join(", ")}.`);
}

export const mediaSettings = {
  file: z.strictObject({
    ...common,
    formats: formatsOf(mediaFormats.file),
    maxPages: positive.max(1000).optional().describe("Maximum pages of a PDF. Default: 100."),
  }),
  audio: z.strictObject({
    ...common,
    formats: formatsOf(mediaFormats.audio),
    maxSeconds: positive.max(3600).optional().describe("Maximum length in seconds. Default: 300."),
  }),
  video: z.strictObject({
    ...common,
    formats: formatsOf(mediaFormats.video),
    maxSeconds: positive.max(3600).optional().describe("Maximum length in seconds. Default: 120."),
  }),
} as const;

/** The media in the inputs of a target. */
export const inputMedia = z.strictObject({
  file: z.union([z.boolean(), mediaSettings.file]).optional().describe("PDFs: true, or their limits."),
  audio: z.union([z.boolean(), mediaSettings.audio]).optional().describe("Audio: true, or its limits."),
  video: z.union([z.boolean(), mediaSettings.video]).optional().describe("Video: true, or its limits."),
});
