import { headerTokenRule, isHeaderToken } from "@model-gateway/domain/header-token";
import { z } from "zod";
import type { AwsSettings } from "./chain.js";

const headerText = z.string().min(1).max(4096).refine(isHeaderToken, headerTokenRule).optional();

/** Where credentials of AWS are: settings of whatever signs requests. Without any, the machine is asked. */
export const awsCredentialSettings = {
  accessKeyId: headerText.describe("The id of an access key, for signed requests."),
  secretAccessKey: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe("The secret of the access key. Take it from the environment: ${NAME}."),
  sessionToken: headerText.describe("The session token of temporary credentials."),
  profile: z
    .string()
    .regex(/^[^\s[\]][^[\]]{0,127}$/, "must be the name of a profile")
    .optional()
    .describe("A profile of AWS's files in the home folder, instead of an access key."),
  role: z
    .strictObject({
      arn: z
        .string()
        .regex(/^arn:[a-z-]{3,20}:iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/, "must be the ARN of a role")
        .describe("The ARN of the role."),
      externalId: z
        .string()
        .regex(/^[\w+=,.@:/-]{2,1224}$/, "must be 2 to 1224 letters, digits and +=,.@:/-")
        .optional()
        .describe("The external id that the role's owner asks for."),
      sessionName: z
        .string()
        .regex(/^[\w+=,.@-]{2,64}$/, "must be 2 to 64 letters, digits and +=,.@-")
        .optional()
        .describe("The name of the session in AWS's logs. Default: model-gateway."),
    })
    .optional()
    .describe("A role that is assumed with the credentials, such as one of another account."),
};

/** The rules across these settings. */
export function checkAwsCredentials(
  { accessKeyId, secretAccessKey, sessionToken, profile }: AwsSettings,
  refuse: (path: string, message: string) => void,
): void {
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined))
    refuse(
      accessKeyId === undefined ? "accessKeyId" : "secretAccessKey",
      "is missing; an access key has both parts",
    );
  if (sessionToken !== undefined && accessKeyId === undefined)
    refuse("sessionToken", "needs accessKeyId and secretAccessKey");
  if (profile !== undefined && accessKeyId !== undefined)
    refuse("profile", "is used instead of accessKeyId; remove one of the two");
}
