import type { S3Settings } from "@model-gateway/config/config";
import { openBucket } from "@model-gateway/object-store/open-bucket";
import { findAwsCredential } from "@model-gateway/providers/http/credentials/aws/chain";
import { RenewedSigner } from "@model-gateway/providers/http/credentials/aws/renewed-signer";
import { openRedis } from "../../storage/redis/redis.js";
import type { BaseServices } from "./base.js";
import { defineModule } from "./module.js";

/** The Redis that replicas share. Absent if none is configured. */
export const redis = defineModule({
  name: "Redis",
  settings: { restart: ["redisUrl"] },
  open: async ({ log }: BaseServices, { redisUrl }) => {
    const connection = redisUrl === undefined ? undefined : await openRedis(redisUrl, log);
    return { services: { redis: connection }, close: () => connection?.disconnect() };
  },
});

/** The database. */
export const storage = defineModule({
  name: "database",
  settings: { restart: ["dataDir", "databaseUrl", "databaseConnectionsMax", "images"] },
  open: async ({ openStorage, log }: BaseServices, settings) => {
    const database = await openStorage(settings, log);
    return { services: { storage: database }, close: () => database.close() };
  },
});

/** The bucket for images, responses and files. Absent: they are on disk. */
export const bucket = defineModule({
  name: "bucket",
  settings: { restart: ["images"] },
  open: (services: BaseServices, { images: { s3 } }) => {
    const opened =
      s3 && openBucket(s3, { now: Date.now, log: services.log, signer: openSigner(s3, services) });
    return { services: { bucket: opened }, close: () => opened?.close() };
  },
});

function openSigner(
  { credentials, region }: S3Settings,
  { environment = {}, clock, wallClock, secrets }: BaseServices,
): RenewedSigner {
  const tools = { environment, clock, timeOfDay: wallClock.now, secrets };
  const credential = findAwsCredential({ ...credentials, region }, tools);
  if (credential === undefined)
    throw new Error(
      "images.store is s3, and there are no credentials for the bucket. Set images.accessKeyId and images.secretAccessKey, or give the gateway's machine a role.",
    );
  return new RenewedSigner(credential, { region, service: "s3" });
}
