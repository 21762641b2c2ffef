import { headerTokenRule, isHeaderToken } from "@model-gateway/domain/header-token";
import { z } from "zod";
import { networkSettings } from "./settings.js";

/** Settings of an upstream that is reached over HTTP. A provider picks those that it reads. */

const url = z.url({ protocol: /^https?$/, error: "must be an http or https URL" });

/** @param defaultUrl The provider's own address. Without one the setting is required. */
export function baseUrlSetting(description: string): z.ZodURL;
export function baseUrlSetting(description: string, defaultUrl: string): z.ZodDefault<z.ZodURL>;
export function baseUrlSetting(description: string, defaultUrl?: string): z.ZodURL | z.ZodDefault<z.ZodURL> {
  return defaultUrl === undefined ? url.describe(description) : url.default(defaultUrl).describe(description);
}

/** A text that may not be empty. */
export function textSetting(description: string): z.ZodString {
  return z.string().min(1).describe(description);
}

/** The gateway's own key, where a server may do without one. */
export const optionalApiKey = z
  .string()
  .min(1)
  .refine(isHeaderToken, headerTokenRule)
  .optional()
  .describe(
    "The gateway's own key for the upstream, sent as a bearer token. Take it from the environment: ${NAME}.",
  );

/** The gateway's own key, where nothing works without one. */
export const requiredApiKey = z
  .string()
  .min(1)
  .refine(isHeaderToken, headerTokenRule)
  .describe("The gateway's own key for the provider. Take it from the environment: ${NAME}.");

/** Settings that hold for every remote upstream. */
export const remoteSettings = {
  timeoutMs: z
    .int()
    .positive()
    .max(3_600_000)
    .optional()
    .describe(
      "How long one attempt may take, in milliseconds. Default: 60000 for embeddings, 300000 for images.",
    ),
  ...networkSettings,
};

/** For providers whose replies link to images. */
export const linkSettings = {
  allowPrivateUrls: z
    .boolean()
    .default(false)
    .describe("Whether links to images in its replies may be http and on a private network."),
};
