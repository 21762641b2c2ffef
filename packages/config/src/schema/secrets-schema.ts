import { duration, milliseconds } from "@model-gateway/domain/settings";
import { awsSecretsSettings } from "@model-gateway/providers/http/credentials/secrets/aws-secrets";
import { vaultSettings } from "@model-gateway/providers/http/credentials/secrets/vault";
import { z } from "zod";

/** Where `${vault:…}` and `${aws-secret:…}` are read. */
export const secretsSchema = z
  .strictObject({
    vault: vaultSettings.optional().describe("A HashiCorp Vault, for ${vault:secret/path#field}."),
    aws: awsSecretsSettings.optional().describe("AWS Secrets Manager, for ${aws-secret:name#field}."),
    every: duration
      .refine((text) => milliseconds(text) >= 1000, "must be 1s or longer")
      .default("1m")
      .describe("How often they are read again while the gateway runs."),
  })
  .prefault({})
  .describe(
    "Stores of secrets. Their own settings take secrets from the environment or from ${file:…} alone.",
  );
