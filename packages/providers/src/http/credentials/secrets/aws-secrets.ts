import { type AwsCredentials, Signer, sha256Hex } from "@model-gateway/domain/aws-signature";
import { z } from "zod";
import { parseObject } from "../../errors/read-error.js";
import { type AwsCredentialTools, findAwsCredential } from "../aws/chain.js";
import { awsCredentialSettings, checkAwsCredentials } from "../aws/settings.js";
import { awsHost } from "../aws/sts.js";
import type { ExpiringCredential } from "../credential.js";
import { requestFromIssuer } from "../request-token.js";

/** AWS Secrets Manager. */
export const awsSecretsSettings = z
  .strictObject({
    region: z
      .string()
      .regex(/^[a-z]{2,4}(-[a-z]{2,12}){1,3}-\d{1,2}$/, "must be a region of AWS, such as us-east-1")
      .describe("The region of the secrets."),
    ...awsCredentialSettings,
  })
  .superRefine((settings, context) =>
    checkAwsCredentials(settings, (path, message) =>
      context.addIssue({ code: "custom", path: [path], message }),
    ),
  );

type AwsSecretsSettings = z.output<typeof awsSecretsSettings>;

/** Reads secrets. https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html */
export class AwsSecrets {
  readonly #settings: AwsSecretsSettings;
  readonly #tools: AwsCredentialTools;
  readonly #credential: ExpiringCredential<AwsCredentials> | undefined;

  constructor(settings: AwsSecretsSettings, tools: AwsCredentialTools) {
    this.#settings = settings;
    this.#tools = tools;
    this.#credential = findAwsCredential(settings, tools);
  }

  /** @param id The name of a secret, or its ARN. */
  async read(id: string, signal: AbortSignal): Promise<string> {
    if (this.#credential === undefined) throw new Error("There are no AWS credentials.");
    const credentials = await this.#credential.current(signal);
    const { environment, timeOfDay } = this.#tools;
    const { region } = this.#settings;
    const url = new URL(
      environment.AWS_ENDPOINT_URL_SECRETS_MANAGER || `https://${awsHost("secretsmanager", region)}`,
    );
    const body = JSON.stringify({ SecretId: id });
    const signer = new Signer({ ...credentials, region, service: "secretsmanager" });
    const headers = signer.sign(
      {
        method: "POST",
        host: url.host,
        path: "/",
        query: {},
        headers: {
          "content-type": "application/x-amz-json-1.1",
          "x-amz-target": "secretsmanager.GetSecretValue",
        },
        payloadSha256: sha256Hex(body),
      },
      timeOfDay(),
    );
    const reply = await requestFromIssuer({ method: "POST", url: `${url.origin}/`, headers, body, signal });
    const { SecretString: text } = parseObject(reply) ?? {};
    if (typeof text !== "string") throw new Error("The secret is not a text.");
    return text;
  }
}
