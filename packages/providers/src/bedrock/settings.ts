import { z } from "zod";
import { awsCredentialSettings, checkAwsCredentials } from "../http/credentials/aws/settings.js";
import type { RemoteSettings } from "../http/remote-provider.js";
import { baseUrlSetting, optionalApiKey } from "../http/remote-settings.js";

const profilesMax = 100;

export const bedrockSettings = {
  region: z
    .string()
    .regex(/^[a-z]{2,4}(-[a-z]{2,12}){1,3}-\d{1,2}$/, "must be a region of AWS, such as us-east-1")
    .optional()
    .describe("The region of AWS, such as us-east-1. Only an apiKey with a baseUrl does without it."),
  baseUrl: baseUrlSetting(
    "The address of the service. Default: https://bedrock-runtime.{region}.amazonaws.com",
  ).optional(),
  apiKey: optionalApiKey,
  ...awsCredentialSettings,
  inferenceProfiles: z
    .record(z.string().min(1).max(2048), z.string().min(1).max(2048))
    .refine(
      (profiles) => Object.keys(profiles).length <= profilesMax,
      `must have at most ${profilesMax} entries`,
    )
    .optional()
    .describe(
      "The id or ARN of the inference profile or provisioned model that is called for a model, by the name of the model on targets.",
    ),
};

type BedrockSettings = RemoteSettings<typeof bedrockSettings>;

/** The rules across several settings. */
export function checkSettings(settings: BedrockSettings, context: z.core.$RefinementCtx): void {
  const { region, baseUrl, apiKey, accessKeyId, profile, role } = settings;
  const refuse = (path: string, message: string) =>
    context.addIssue({ code: "custom", path: [path], message });
  const needsRegion = baseUrl === undefined || apiKey === undefined;
  if (region === undefined && needsRegion) refuse("region", "is missing; name a region such as us-east-1");
  checkAwsCredentials(settings, refuse);
  const others = Object.entries({ accessKeyId, profile, role }).find(([, value]) => value !== undefined);
  if (apiKey !== undefined && others !== undefined)
    refuse("apiKey", `is used instead of ${others[0]}; remove one of the two`);
  const signed = Object.keys(settings.headers ?? {}).find((name) => /^(authorization|x-amz-.*)$/i.test(name));
  if (signed !== undefined)
    context.addIssue({
      code: "custom",
      path: ["headers", signed],
      message: "is part of the signature and cannot be configured",
    });
}
