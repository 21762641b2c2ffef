import sharp from "sharp";
import { expect, test } from "vitest";
import { examine } from "../../../../docs/test/examine.js";
import { describeInBrowser } from "../../../../docs/test/open-browser.js";
import { testKey } from "../../../../gateway/test/gateway/test-gateway.js";
import { suiteConsole } from "../suite-console.js";

/** An image of one colour, as a file that a person chooses. */
async function pngOf(name: string, background: string) {
  const buffer = await sharp({ create: { width: 64, height: 48, channels: 3, background } })
    .png()
    .toBuffer();
  return { name, mimeType: "image/png", buffer };
}

/** An image that cannot be compressed. */
async function largePng(name: string) {
  const noise = Buffer.from(Array.from({ length: 3 * 64 * 64 }, (_, at) => (at * 2_654_435_761) >>> 24));
  const raw = { width: 64, height: 64, channels: 3 as const };
  return { name, mimeType: "image/png", buffer: await sharp(noise, { raw }).png().toBuffer() };
}

const urlOf = ({ buffer }: { readonly buffer: Buffer }) =>
  `data:image/png;base64,${buffer.toString("base64")}`;

describeInBrowser("the playground of embeddings", () => {
  const suite = suiteConsole({ provoked: /^400 for / });

  test("texts become vectors, a table of cosines and a map", async () => {
    const { site } = suite;
    await site.signIn(testKey, "#/embeddings");

    await site.page.getByLabel("One text a line").fill("one\ntwo\none");
    await site.page.keyboard.press("Control+Enter");

    const rows = site.page.locator(".matrix tbody tr");
    await expect.poll(() => rows.count()).toBe(3);
    await expect.poll(() => rows.first().locator("td").last().textContent()).toBe("1.00");
    await site.page.getByText("3 vectors of 32 numbers").waitFor();
    await expect.poll(() => site.page.locator(".map circle").count()).toBe(3);
  });

  test("a failed upstream is shown with the gateway's message and the request id", async () => {
    const { site, upstream } = suite;
    upstream.follow({ always: { faults: [{ kind: "reply", status: 400 }] } });
    await site.signIn(testKey, "#/embeddings");

    await site.page.getByRole("button", { name: "Embed", exact: true }).click();

    const fault = site.page.getByRole("alert");
    await expect.poll(() => fault.textContent()).toContain("req_");
    await expect.poll(() => fault.textContent()).toContain("Scripted failure 400.");
  });
});

describeInBrowser("the playground of embeddings with images", () => {
  const model = (inputImages: string) =>
    `{ type: embedding, targets: [{ upstream: fake, model: m, inputImages: ${inputImages} }] }`;
  const suite = suiteConsole({
    config: (baseUrl) => `
upstreams: { fake: { provider: openai-compatible, baseUrl: "${baseUrl}" } }
models:
  both: ${model("{ maxImageBytes: 2000 }")}
  apart: ${model("{ mixesParts: false }")}
  text: ${model("false")}
`,
  });
  const files = () => suite.site.page.locator("input[type=file]");
  const embed = () => suite.site.page.getByRole("button", { name: "Embed", exact: true });
  const choose = (id: string) => suite.site.page.getByLabel("Model", { exact: true }).selectOption(id);

  test("images go beside texts in the form of the API, and are seen in the table and on the map", async () => {
    const { site, upstream } = suite;
    await site.signIn(testKey, "#/embeddings?model=both");
    await site.page.evaluate(countUrls);
    const [red, blue] = [await pngOf("red.png", "#c00"), await pngOf("blue.png", "#00c")];

    await site.page.getByLabel("One text a line").fill("one\ntwo");
    await site.page.getByText("PNG, JPEG or WebP, up to 2.0 KB each.").waitFor();
    await files().setInputFiles([red, blue]);
    await site.page.getByLabel("Text with blue.png").fill("the sea");
    await embed().click();

    const rows = site.page.locator(".matrix tbody tr");
    await expect.poll(() => rows.count()).toBe(4);
    await expect.poll(() => rows.locator("img.thumb").count()).toBe(2);
    expect(await rows.locator("th").allTextContents()).toEqual(["1 one", "2 two", "3 red.png", "4 the sea"]);
    await expect.poll(() => site.page.locator(".map image").count()).toBe(2);
    await expect.poll(() => site.page.locator(".map circle").count()).toBe(2);
    const sent = upstream.received.flatMap(({ body }) => body.input as unknown[]);
    expect(sent).toEqual(
      expect.arrayContaining([
        "one",
        "two",
        { content: [{ type: "image_url", image_url: { url: urlOf(red) } }] },
        {
          content: [
            { type: "text", text: "the sea" },
            { type: "image_url", image_url: { url: urlOf(blue) } },
          ],
        },
      ]),
    );

    for (const colorScheme of ["dark", "light"] as const) {
      await site.page.emulateMedia({ colorScheme });
      expect(await examine(site.page)).toEqual([]);
    }

    // An image that is removed stays in the result alone, and the page keeps none when it is left.
    await site.page.getByRole("button", { name: "Remove red.png" }).click();
    await expect.poll(() => site.page.evaluate("openUrls.size")).toBe(2);
    await embed().click();
    await expect.poll(() => rows.count()).toBe(3);
    await expect.poll(() => site.page.evaluate("openUrls.size")).toBe(1);
    await site.choose("Models");
    await expect.poll(() => site.page.evaluate("openUrls.size")).toBe(0);
  });

  test("what the model does not take is refused before it is sent", async () => {
    const { site, upstream } = suite;
    await site.signIn(testKey, "#/embeddings?model=both");
    const before = upstream.received.length;

    await files().setInputFiles([
      await largePng("large.png"),
      { name: "notes.png", mimeType: "image/png", buffer: Buffer.from("not an image") },
    ]);

    await site.page.getByText(/^It has \d\.\d KB\. This model takes up to 2\.0 KB\.$/).waitFor();
    await site.page.getByText("Not a PNG, JPEG or WebP image: notes.png.").waitFor();
    expect(await embed().isDisabled()).toBe(true);
    await choose("apart");
    await expect.poll(() => embed().isDisabled()).toBe(false);
    expect(await site.page.getByLabel("Text with large.png").count()).toBe(0);
    await choose("text");
    await site.page.getByText("text takes text alone. 1 image is left out.").waitFor();
    expect(await files().count()).toBe(0);
    expect(upstream.received).toHaveLength(before);
  });

  test("images can be dropped", async () => {
    const { site } = suite;
    await site.signIn(testKey, "#/embeddings?model=apart");
    const { buffer } = await pngOf("dropped.png", "#0c0");
    const dataTransfer = await site.page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      const bytes = Uint8Array.from(atob("${buffer.toString("base64")}"), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], "dropped.png", { type: "image/png" }));
      return transfer;
    })()`);

    await site.page.locator(".file-drop").dispatchEvent("drop", { dataTransfer });

    await site.page.getByRole("button", { name: "Remove dropped.png" }).waitFor();
  });
});

/** Keeps the object URLs that are open. */
const countUrls = `(() => {
  window.openUrls = new Set();
  const { createObjectURL, revokeObjectURL } = URL;
  URL.createObjectURL = (blob) => {
    const url = createObjectURL.call(URL, blob);
    openUrls.add(url);
    return url;
  };
  URL.revokeObjectURL = (url) => {
    openUrls.delete(url);
    revokeObjectURL.call(URL, url);
  };
})()`;
