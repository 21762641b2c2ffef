import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { openAdminKey } from "./admin-key.js";
import { createKeyDigest } from "./key-digest.js";
import { isKeyText } from "./key-text.js";
import { createMemorySettings } from "./test/memory-settings.js";

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
