import { createHash } from "node:crypto";
import { createKeyDigest, isKeyText } from "@model-gateway/domain/key-text";
import { describe, expect, test } from "vitest";
import { KeySecretError, openAdminKey, openKeySecret } from "./key-secrets.js";
import { createMemorySettings } from "./test/memory-key-store.js";

describe("admin key", () => {
  const digest = createKeyDigest("a secret of the tests");

  test("without a configured key the first start creates one, shows it once, and stores its digest", async () => {
    const settings = createMemorySettings();
    const created: string[] = [];
    const onCreated = (text: string) => created.push(text);

    const first = await openAdminKey({ sha256: undefined, settings, digest, onCreated });
    const second = await openAdminKey({ sha256: undefined, settings, digest, onCreated });

    const [text = ""] = created;
    expect(created).toHaveLength(1);
    expect(isKeyText(text, "mg_admin_")).toBe(true);
    expect([first, second].map(({ matches }) => [matches(text), matches(`${text}x`), matches("")])).toEqual([
      [true, false, false],
      [true, false, false],
    ]);
    expect([...settings.values.values()]).toEqual([digest(text).toString("hex")]);
  });

  test("a configured key replaces the one that was created before", async () => {
    const settings = createMemorySettings();
    const created: string[] = [];
    const onCreated = (text: string) => created.push(text);
    await openAdminKey({ sha256: undefined, settings, digest, onCreated });
    const sha256 = createHash("sha256").update("an admin key of mine").digest();

    const configured = await openAdminKey({ sha256, settings, digest, onCreated });

    expect(created).toHaveLength(1);
    const [text = ""] = created;
    expect(["an admin key of mine", text, ""].map(configured.matches)).toEqual([true, false, false]);
  });
});

describe("key secret", () => {
  test("a secret is created once for all gateways on a database", async () => {
    const settings = createMemorySettings();

    const secrets = [await openKeySecret(settings, undefined), await openKeySecret(settings, undefined)];

    expect(secrets[0]).toMatch(/^[\w-]{43}$/);
    expect(secrets[1]).toBe(secrets[0]);
  });

  test("a configured secret is not stored in the database", async () => {
    const settings = createMemorySettings();

    const secret = await openKeySecret(settings, "a-secret-of-the-configuration-file");

    expect(secret).toBe("a-secret-of-the-configuration-file");
    expect(JSON.stringify([...settings.values])).not.toContain("configuration");
  });

  test("another secret than before is an error", async () => {
    const settings = createMemorySettings();
    await openKeySecret(settings, "the-first-secret-of-them-all-0001");

    await expect(openKeySecret(settings, "another-secret-than-the-first-001")).rejects.toThrow(
      KeySecretError,
    );
    await expect(openKeySecret(settings, undefined)).rejects.toThrow(KeySecretError);
  });
});
