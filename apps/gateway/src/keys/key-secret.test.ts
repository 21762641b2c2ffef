import { expect, test } from "vitest";
import { KeySecretError, openKeySecret } from "./key-secret.js";
import { createMemorySettings } from "./test/memory-settings.js";

test("a secret is made once for all who use the database", async () => {
  const settings = createMemorySettings();

  const secrets = [await openKeySecret(settings, undefined), await openKeySecret(settings, undefined)];

  expect(secrets[0]).toMatch(/^[\w-]{43}$/);
  expect(secrets[1]).toBe(secrets[0]);
});

test("the secret of the configuration is not kept in the database", async () => {
  const settings = createMemorySettings();

  const secret = await openKeySecret(settings, "a-secret-of-the-configuration-file");

  expect(secret).toBe("a-secret-of-the-configuration-file");
  expect(JSON.stringify([...settings.values])).not.toContain("configuration");
});

test("with another secret than before the gateway does not start", async () => {
  const settings = createMemorySettings();
  await openKeySecret(settings, "the-first-secret-of-them-all-0001");

  await expect(openKeySecret(settings, "another-secret-than-the-first-001")).rejects.toThrow(KeySecretError);
  await expect(openKeySecret(settings, undefined)).rejects.toThrow(KeySecretError);
});
