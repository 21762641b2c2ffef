import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { KeySecretError, openAdminKey, openKeySecret } from "./key-secrets.js";
import { createKeyDigest, isKeyText } from "./key-text.js";
import { createMemorySettings } from "./test/memory-key-store.js";

describe("admin key", () => {
  const digest = createKeyDigest("a secret of the tests");

  test("without one in the configuration a key is made by the first start, shown once, and kept as its digest", async () => {
    const settings = createMemorySettings();

    const first = await openAdminKey({ sha256: undefined, settings, digest });
    const second = await openAdminKey({ sha256: undefined, settings, digest });

    const { made = "" } = first;
    expect(isKeyText(made, "mg_admin_")).toBe(true);
    expect(second.made).toBeUndefined();
    expect([first, second].map(({ opens }) => [opens(made), opens(`${made}x`), opens("")])).toEqual([
      [true, false, false],
      [true, false, false],
    ]);
    expect([...settings.values.values()]).toEqual([digest(made).toString("hex")]);
  });

  test("the key of the configuration is the only one, whatever was made before", async () => {
    const settings = createMemorySettings();
    const { made = "" } = await openAdminKey({ sha256: undefined, settings, digest });
    const sha256 = createHash("sha256").update("an admin key of mine").digest();

    const configured = await openAdminKey({ sha256, settings, digest });

    expect(configured.made).toBeUndefined();
    expect(["an admin key of mine", made, ""].map(configured.opens)).toEqual([true, false, false]);
  });
});

describe("key secret", () => {
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

    await expect(openKeySecret(settings, "another-secret-than-the-first-001")).rejects.toThrow(
      KeySecretError,
    );
    await expect(openKeySecret(settings, undefined)).rejects.toThrow(KeySecretError);
  });
});
