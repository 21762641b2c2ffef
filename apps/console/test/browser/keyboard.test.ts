import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeInBrowser } from "../../../docs/test/open-browser.js";
import { type FakeUpstream, startFakeUpstream } from "../../../gateway/test/fake-upstream/fake-upstream.mjs";
import { type BuiltGateway, startBuiltGateway } from "../../../gateway/test/gateway/built.js";
import { testAdminKey } from "../../../gateway/test/gateway/test-gateway.js";
import { ConsolePage } from "./console-page.js";

let upstream: FakeUpstream;
let gateway: BuiltGateway;
let site: ConsolePage;

/** One person goes through the console, so the tests follow each other. None of them uses the mouse. */
describeInBrowser("the console by keyboard alone", () => {
  beforeAll(async () => {
    upstream = await startFakeUpstream({ script: { always: { width: 32, images: "requested" } } });
    gateway = await startBuiltGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  text-embedding-3-small: { type: embedding, targets: [{ upstream: fake, model: text-embedding-3-small }] }
  gpt-image-2: { type: image, targets: [{ upstream: fake, model: gpt-image-2 }] }
`);
    site = await ConsolePage.open(`${gateway.url}/console/`);
  });
  afterAll(async () => {
    await site.close();
    await gateway.stop();
    await upstream.close();
  });

  test("signing in needs no Tab: the field has the focus", async () => {
    await site.arrive();
    await site.page.getByLabel("Key").waitFor();

    await site.page.keyboard.type(testAdminKey);
    await press("Enter");

    await site.loaded("Overview");
  });

  test("the menu can be skipped", async () => {
    await use(button("Skip to the page"), "Shift+Tab");

    await expect.poll(focused).toBe("Overview");
  });

  test("a model is found, and its sample is read in another language", async () => {
    await open("Models");
    await reach(site.page.getByLabel("Find"));
    await site.page.keyboard.type("text-embedding");
    await expect.poll(() => site.page.getByRole("article").count()).toBe(1);

    await use(link("Use it in code text-embedding-3-small"));
    await reach(site.page.getByRole("tab", { name: "curl" }));
    await press("ArrowLeft");
    await expect.poll(() => site.page.locator("dialog pre").textContent()).toContain("OpenAI(");
    await press("Escape");

    await expect.poll(() => isFocused(link("Use it in code text-embedding-3-small"))).toBe(true);
  });

  test("texts become vectors", async () => {
    await open("Embeddings");
    await reach(site.page.getByLabel("One text a line"));
    await press("Control+Enter");

    await site.page.locator(".matrix").waitFor();
  });

  test("an image is generated, part of it is marked by numbers, and it is edited", async () => {
    await open("Images");
    await use(button("Generate"));
    await use(button("Edit this one"));
    await use(site.page.getByText("Mark a rectangle by numbers"));
    await reach(site.page.getByLabel("right", { exact: true }));
    await press("ArrowDown");
    await use(button("Mark"));
    await site.page.getByText(/of the image is painted/).waitFor();
    await reach(button("Edit"), "Shift+Tab");
    await press("Enter");

    await expect.poll(() => upstream.received.at(-1)?.path).toBe("/v1/images/edits");
    await use(site.page.getByText(/^Outside the mask:/));
    await site.page.getByRole("img", { name: "The result, tinted where it changed" }).waitFor();
  });

  test("a request is opened beside the list, then the next one, and Escape gives the focus back", async () => {
    await gateway.sendJson("/v1/embeddings", { model: "text-embedding-3-small", input: "a" });
    await open("Requests");
    const rows = site.page.locator("tbody tr");
    await expect.poll(() => rows.count()).toBeGreaterThan(1);

    await use(rows.first().getByRole("link"));
    await expect.poll(openRequest).toBeDefined();
    const first = await openRequest();
    await press("j");
    await expect.poll(openRequest).not.toBe(first);
    // The address changes before the sheet, which reads the key. Before the first row there is none.
    const openBefore = async () => {
      await press("k");
      return openRequest();
    };
    await expect.poll(openBefore).toBe(first);
    await press("Escape");

    await expect.poll(() => site.page.getByRole("dialog").count()).toBe(0);
    await expect.poll(() => isFocused(rows.first().getByRole("link"))).toBe(true);
  });

  test("usage is grouped otherwise", async () => {
    await open("Usage");
    await reach(site.page.getByLabel("Group by", { exact: true }));
    await press("ArrowDown");

    await expect.poll(() => new URL(site.page.url()).hash).toMatch(/^#\/usage\?by=/);
  });

  test("a key is created, stored and revoked", async () => {
    await open("Keys");
    await use(link("Create key"));
    await reach(site.page.getByLabel("Name"));
    await site.page.keyboard.type("by keyboard");
    await press("Enter");
    await site.page.locator(".secret code").waitFor();
    await use(button("I have stored it"));

    await use(link("by keyboard"));
    await use(button("Revoke"));
    await reach(site.page.getByLabel("Type by keyboard to go on"));
    await site.page.keyboard.type("by keyboard");
    await use(button("Revoke for good"));

    await expect
      .poll(() => site.page.getByRole("row", { name: "by keyboard" }).textContent())
      .toContain("revoked");
    await press("Escape");
  });

  test("a target is tried, and an upstream is rehearsed to be down", async () => {
    await open("Upstreams");
    await use(link("Try now fake / text-embedding-3-small"));
    await use(site.page.getByRole("dialog").getByRole("button", { name: "Try now" }));
    await site.page.getByText(/It replied in/).waitFor();
    await press("Escape");
    await reach(site.page.getByLabel("fake is down"));
    await press("Space");

    await site.page.getByRole("row", { name: /text-embedding-3-small unavailable/ }).waitFor();
  });

  test("the configuration can be scrolled, the theme changed, and the session ended", async () => {
    await open("Configuration");
    await use(button("Dark"), "Shift+Tab");
    await expect.poll(() => button("Dark").getAttribute("aria-pressed")).toBe("true");
    await use(button("Sign out"));

    await site.page.getByRole("heading", { name: "Sign in" }).waitFor();
    // The cost of an image may be looked up before it is recorded.
    expect(site.complaints(/^404 for .*requests/)).toEqual([]);
  });
});

function button(name: string): Locator {
  return site.page.getByRole("button", { name, exact: true }).first();
}

function link(name: string): Locator {
  return site.page.getByRole("link", { name, exact: true }).first();
}

async function press(keys: string): Promise<void> {
  await site.page.keyboard.press(keys);
}

/** Opens a page by its link in the menu. */
async function open(name: string): Promise<void> {
  await use(site.page.getByRole("link", { name, exact: true }), "Shift+Tab");
  await site.loaded(name);
}

/** Goes to something, and presses Enter there. */
async function use(target: Locator, by?: "Tab" | "Shift+Tab"): Promise<void> {
  await reach(target, by);
  await press("Enter");
}

/** Presses Tab until something has the focus, and checks that one can see so. */
async function reach(target: Locator, by: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < 90; presses++) {
    if (await isFocused(target)) {
      expect(await site.page.evaluate(focusOutline)).not.toBe("none");
      return;
    }
    await press(by);
  }
  throw new Error(`${by} does not reach ${target}.`);
}

/** A field shows the focus by its border or by an outline. */
const focusOutline = "getComputedStyle(document.activeElement).outlineStyle";

function isFocused(target: Locator): Promise<boolean> {
  return target.evaluate(
    (element) =>
      element === (globalThis as unknown as { document: { activeElement: unknown } }).document.activeElement,
  );
}

function focused(): Promise<string> {
  return site.page.evaluate("document.activeElement?.textContent?.trim() ?? ''");
}

async function openRequest(): Promise<string | undefined> {
  return /request=(req_\w+)/.exec(site.page.url())?.[1];
}
