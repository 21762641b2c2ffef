import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSignedLinks, openLinkSecret } from "./signed-links.js";

const secret = Buffer.alloc(32, 7);
const file = "6f1f3530a1a2324b19752018ce756088.png";

describe("a signed link", () => {
  test("holds the file, the expiry and the signature, and nothing else", () => {
    const links = createSignedLinks({ secret, ttlMs: 3_600_000, now: () => 1_000_500 });

    const { path } = links.sign(file);

    expect(path).toMatch(
      /^\/v1\/images\/files\/6f1f3530a1a2324b19752018ce756088\.png\?expires=4601&signature=[\w-]{43}$/,
    );
  });

  test("is valid until the second of its expiry, and expired from then on", () => {
    const clock = { now: 1_000_000 };
    const links = createSignedLinks({ secret, ttlMs: 60_000, now: () => clock.now });
    const { expires, signature } = partsOf(links.sign(file).path);

    const verdicts = [1_000_000, 1_059_999, 1_060_000].map((now) => {
      clock.now = now;
      return { verdict: links.check(file, expires, signature), left: links.secondsLeft(expires) };
    });

    expect(verdicts).toEqual([
      { verdict: "valid", left: 60 },
      { verdict: "valid", left: 0 },
      { verdict: "expired", left: 0 },
    ]);
  });

  test("is valid with the same secret, and invalid with any other", () => {
    const settings = { ttlMs: 60_000, now: () => 0 };
    const { expires, signature } = partsOf(createSignedLinks({ secret, ...settings }).sign(file).path);

    const same = createSignedLinks({ secret: Buffer.alloc(32, 7), ...settings });
    const other = createSignedLinks({ secret: Buffer.alloc(32, 8), ...settings });

    expect(same.check(file, expires, signature)).toBe("valid");
    expect(other.check(file, expires, signature)).toBe("invalid");
  });

  const now = 1_000_000_000;
  const links = createSignedLinks({ secret, ttlMs: 60_000, now: () => now });
  const { expires, signature } = partsOf(links.sign(file).path);
  const past = createSignedLinks({ secret, ttlMs: 60_000, now: () => 0 });
  const old = partsOf(past.sign(file).path);
  test.each<{ name: string; given: Parameters<typeof links.check> }>([
    { name: "another file", given: [file.replace("6", "7"), expires, signature] },
    { name: "another format", given: [file.replace("png", "webp"), expires, signature] },
    { name: "a later expiry", given: [file, String(Number(expires) + 1), signature] },
    { name: "the same expiry in another notation", given: [file, `0${expires}`, signature] },
    { name: "an expiry that is not a number", given: [file, "soon", signature] },
    { name: "a negative expiry", given: [file, "-1", signature] },
    { name: "an expiry with an exponent", given: [file, "1e12", signature] },
    { name: "an empty expiry", given: [file, "", signature] },
    { name: "no expiry", given: [file, undefined, signature] },
    { name: "no signature", given: [file, expires, undefined] },
    { name: "an empty signature", given: [file, expires, ""] },
    { name: "a truncated signature", given: [file, expires, signature.slice(0, -1)] },
    { name: "a signature with a character appended", given: [file, expires, `${signature}=`] },
    {
      name: "a signature of the same length in characters, not in bytes",
      given: [file, expires, "é".repeat(43)],
    },
    { name: "a forged signature on an expired link", given: [file, old.expires, signature] },
  ])("with $name is invalid", ({ given }) => {
    expect(links.check(...given)).toBe("invalid");
  });

  test("with any character of its signature changed is invalid", () => {
    const changed = [...signature].map((character, index) => {
      const other = character === "A" ? "B" : "A";
      return `${signature.slice(0, index)}${other}${signature.slice(index + 1)}`;
    });

    const verdicts = new Set(changed.map((one) => links.check(file, expires, one)));

    expect([...verdicts]).toEqual(["invalid"]);
  });
});

describe("the secret", () => {
  test("is the configured one, and no file is written", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "links-"));

    const opened = await openLinkSecret(dataDir, "a secret of at least 32 characters");

    expect(opened.toString()).toBe("a secret of at least 32 characters");
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test("is created once, readable by its owner alone, and reused", async () => {
    const dataDir = join(mkdtempSync(join(tmpdir(), "links-")), "data");

    const first = await openLinkSecret(dataDir);
    const second = await openLinkSecret(dataDir);

    const path = join(dataDir, "link-secret");
    expect(first).toHaveLength(32);
    expect(second).toEqual(first);
    expect(readFileSync(path)).toEqual(first);
    expect((statSync(path).mode & 0o777).toString(8)).toBe("600");
    expect(readdirSync(dataDir)).toEqual(["link-secret"]);
  });

  test("is the same for all that open it at once", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "links-"));

    const opened = await Promise.all(Array.from({ length: 20 }, () => openLinkSecret(dataDir)));

    expect(new Set(opened.map((one) => one.toString("hex"))).size).toBe(1);
    expect(readdirSync(dataDir)).toEqual(["link-secret"]);
  });

  test("of another length is refused, since a short one can be guessed", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "links-"));
    writeFileSync(join(dataDir, "link-secret"), "");

    await expect(openLinkSecret(dataDir)).rejects.toThrow("does not hold a secret of 32 bytes");
  });
});

function partsOf(path: string): { expires: string; signature: string } {
  const { searchParams } = new URL(path, "http://gateway");
  return { expires: searchParams.get("expires") ?? "", signature: searchParams.get("signature") ?? "" };
}
