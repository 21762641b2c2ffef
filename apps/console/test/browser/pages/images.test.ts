import type { Locator } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { examine } from "../../../../docs/test/examine.js";
import { describeInBrowser } from "../../../../docs/test/open-browser.js";
import {
  type FakeUpstream,
  startFakeUpstream,
} from "../../../../gateway/test/fake-upstream/fake-upstream.mjs";
import type { Script } from "../../../../gateway/test/fake-upstream/script.js";
import { type BuiltGateway, startBuiltGateway } from "../../../../gateway/test/gateway/built.js";
import { testAdminKey } from "../../../../gateway/test/gateway/test-gateway.js";
import { maskOf, maskPixels, type Point, type Stroke } from "../../../src/playground/images/mask/mask-of.js";
import { ConsolePage } from "../console-page.js";

const size = { width: 640, height: 480 };
/** The model `broken` always fails. */
const script: Script = {
  always: { images: "requested" },
  models: { broken: { faults: [{ kind: "reply", status: 400 }] } },
};

let upstream: FakeUpstream;
let gateway: BuiltGateway;
let site: ConsolePage;

describeInBrowser("the playground of images", () => {
  beforeAll(async () => {
    upstream = await startFakeUpstream({ script });
    gateway = await startBuiltGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  gpt-image-2: { type: image, targets: [{ upstream: fake, model: gpt-image-2, price: { perImage: 0.04 } }] }
  spare: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: broken, price: { perImage: 0.01 } }] }
  unmasked:
    { type: image, profile: { like: gpt-image, mask: false }, targets: [{ upstream: fake, model: gpt-image-2 }] }
`);
    site = await ConsolePage.open(`${gateway.url}/console/`);
    await site.signIn(testAdminKey, "#/images");
    await site.loaded("Images");
  });
  afterAll(async () => {
    await site.close();
    await gateway.stop();
    await upstream.close();
  });

  test("the button carries the price, and nothing is streamed unless one asks for it", async () => {
    await button("Generate, about $0.04").click();
    await site.page.getByRole("img", { name: "The result" }).waitFor();

    expect(upstream.received.at(-1)?.body).not.toHaveProperty("stream");
  });

  test("partial images stay as a strip", async () => {
    await site.page.getByLabel("Partial images").check();
    await button(/^Generate/).click();

    const strip = site.page.getByRole("list", { name: "Images so far" }).getByRole("button");
    await expect.poll(() => strip.count()).toBe(3);
    await site.page.getByRole("img", { name: "The result" }).waitFor();
    expect(upstream.received.at(-1)?.body).toMatchObject({ model: "gpt-image-2", stream: true });
  });

  test("a wrong size is explained, and not sent", async () => {
    const size = site.page.getByLabel("Size", { exact: true });
    const sent = upstream.received.length;
    await size.fill("big");
    await button(/^Generate/).click();

    await site.page
      .getByText(/^big is not a size\. Width x height in pixels, such as .*, or auto\.$/)
      .waitFor();
    expect(await size.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(upstream.received.length).toBe(sent);
    await size.fill("");
  });

  test("two prompts are compared side by side, with prompt, model, options and cost below each", async () => {
    await site.page.getByLabel("Prompt", { exact: true }).fill("a fox");
    await button("Compare with another prompt").click();
    await site.page.getByLabel("Prompt B").fill("an owl");
    await button("Generate 2 images, about $0.08").click();

    for (const prompt of ["a fox", "an owl"]) {
      const tile = site.page.getByRole("article", { name: `gpt-image-2: ${prompt}`, exact: true });
      await tile.getByRole("img", { name: "The result" }).waitFor();
      await expect.poll(() => factsOf(tile)).toEqual([prompt, "gpt-image-2", "default", "$0.04"]);
    }
    await site.page.getByText("$0.08 together").waitFor();
    const request = site.page
      .getByRole("article", { name: "gpt-image-2: a fox", exact: true })
      .getByRole("link", { name: /^req_/ });
    expect(await request.getAttribute("href")).toBe(`#/requests?request=${await request.textContent()}`);
    await button("Remove prompt B").click();
  });

  test("one prompt goes to two models, and one that fails does not hide the other", async () => {
    await button("Compare with another model").click();
    await button("Generate 2 images, about $0.05").click();

    const [good, bad] = ["gpt-image-2", "spare"].map((id) =>
      site.page.getByRole("article", { name: `${id}: a fox`, exact: true }),
    );
    await good?.getByRole("img", { name: "The result" }).waitFor();
    await bad?.getByRole("alert").waitFor();
    for (const theme of ["light", "dark"] as const) {
      await site.page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
      expect(await examine(site.page)).toEqual([]);
    }
  });

  test("running requests can be stopped, and the upstream calls end", async () => {
    upstream.follow({ always: { isHeld: true } });
    await button(/^Generate/).click();
    await expect.poll(() => upstream.seen().inFlight).toBe(2);

    await button("Stop").click();

    await expect.poll(() => site.page.getByText(/Stopped\./).count()).toBe(2);
    await expect.poll(() => upstream.seen().inFlight).toBe(0);
    upstream.follow(script);
    await button("Remove spare").click();
  });

  test("results stay while other pages are open, and can be pinned and used again", async () => {
    const count = await results().count();
    await site.choose("Models");
    await site.choose("Images");
    expect(await results().count()).toBe(count);

    await results().getByRole("img", { name: "gpt-image-2: an owl" }).click();
    await button("Pin").click();
    await results().getByRole("img", { name: "gpt-image-2: a fox" }).first().click();
    await expect.poll(() => site.page.getByRole("article").count()).toBe(2);
    const owl = site.page.getByRole("article", { name: "gpt-image-2: an owl" });
    await owl.getByRole("button", { name: "Use these settings" }).click();
    expect(await site.page.getByLabel("Prompt", { exact: true }).inputValue()).toBe("an owl");
    await owl.getByRole("button", { name: "Pinned" }).click();
  });

  test("a file that is not an image is refused by its name", async () => {
    await choose("notes.png", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"));

    await site.page.getByText("notes.png is not a PNG, JPEG or WebP image.").waitFor();
  });

  test("the mask that reaches the upstream equals the painted one, byte for byte", async () => {
    const image = await sharp({ create: { ...size, channels: 3, background: "#3080c0" } })
      .png()
      .toBuffer();
    await choose("sky.png", image);
    const painted = await paint([
      { x: 60, y: 50 },
      { x: 140, y: 90 },
      { x: 150, y: 170 },
    ]);
    await site.page.getByRole("button", { name: "Erase" }).click();
    const erased = await paint([{ x: 100, y: 70 }]);
    await site.page.getByText("Mark a rectangle by numbers").click();
    for (const [label, value] of Object.entries({ left: 500, top: 10, right: 630, bottom: 60 }))
      await site.page.getByLabel(label, { exact: true }).fill(String(value));
    await site.page.getByRole("button", { name: "Mark" }).click();

    await button(/^Edit,/).click();
    await expect.poll(() => upstream.received.at(-1)?.path).toBe("/v1/images/edits");

    const strokes: Stroke[] = [
      { kind: "brush", radius: 40, points: painted },
      { kind: "eraser", radius: 40, points: erased },
      { kind: "rectangle", from: { x: 500, y: 10 }, to: { x: 630, y: 60 } },
    ];
    const sent = upstream.received.at(-1)?.parts.find(({ name }) => name === "mask");
    const pixels = await sharp(sent?.content).ensureAlpha().raw().toBuffer();
    expect(pixels.equals(Buffer.from(maskPixels(maskOf(strokes, size))))).toBe(true);
  });

  test("the lens shows the mask as it was sent, over the image", async () => {
    await site.page.getByText(/^(Outside the mask:|The result has another size)/).click();

    const mask = site.page.getByRole("img", { name: "The image that was sent, dark where it must stay" });
    await mask.waitFor();
    // In the middle of the rectangle that may change, and in a corner that must stay.
    const alphas = await alphasOf(mask);
    expect([alphas[30 * size.width + 560], alphas[470 * size.width + 5]]).toEqual([0, 255]);
  });

  test("a painted mask is not lost without asking", async () => {
    await button("Undo").click();
    await site.page.getByLabel("Model", { exact: true }).selectOption("unmasked");
    await site.page.getByRole("dialog", { name: "Discard the mask?" }).waitFor();
    await button("Keep the mask").click();
    expect(await site.page.getByLabel("Model", { exact: true }).inputValue()).toBe("gpt-image-2");

    const closing = site.page.waitForEvent("dialog");
    await site.page.evaluate("setTimeout(() => location.reload())");
    const question = await closing;
    expect(question.type()).toBe("beforeunload");
    await question.dismiss();

    await site.choose("Models");
    await site.choose("Images");
    await site.page.getByText(/of the image is painted/).waitFor();
    await button("Edit this one").click();
    await button("Discard it").click();
  });

  test("the edit that is shown can be edited again", async () => {
    await button("Edit this one").click();

    await site.page.getByText("Nothing is painted: the whole image may change.").waitFor();
    // A model refuses, and a cost may be looked up before it is recorded.
    expect(site.complaints(/^400 for|^404 for .*requests/)).toEqual([]);
  });
});

function button(name: string | RegExp): Locator {
  return site.page.getByRole("button", { name, ...(typeof name === "string" && { exact: true }) });
}

/** The results of the session, newest first. */
function results(): Locator {
  return site.page.getByRole("list", { name: "Results of this session" }).getByRole("listitem");
}

function factsOf(tile: Locator): Promise<string[]> {
  return tile.locator(".facts dd").allInnerTexts();
}

/** The part of a browser's canvas that is used: the tests have no DOM types. */
interface Canvas {
  getContext(
    kind: "2d",
  ): { getImageData(x: number, y: number, width: number, height: number): { data: number[] } } | null;
}

/** One read of the canvas: a browser warns of several. */
function alphasOf(canvas: Locator): Promise<number[]> {
  return canvas.evaluate((element, { width, height }) => {
    const data =
      (element as unknown as Canvas).getContext("2d")?.getImageData(0, 0, width, height).data ?? [];
    return Array.from({ length: width * height }, (_, at) => data[at * 4 + 3] ?? -1);
  }, size);
}

async function choose(name: string, buffer: Buffer): Promise<void> {
  await site.page.locator("input[type=file]").setInputFiles({ name, mimeType: "image/png", buffer });
}

/** Paints with the mouse. Takes points from the easel's corner, and returns the image pixels there. */
async function paint(points: readonly Point[]): Promise<Point[]> {
  const easel = site.page.locator(".easel canvas");
  await easel.scrollIntoViewIfNeeded();
  const box = (await easel.boundingBox())!;
  const places = points.map(({ x, y }) => ({ x: Math.round(box.x + x), y: Math.round(box.y + y) }));
  for (const [at, { x, y }] of places.entries()) {
    await site.page.mouse.move(x, y);
    if (at === 0) await site.page.mouse.down();
  }
  await site.page.mouse.up();
  return places.map(({ x, y }) => ({
    x: Math.round(((x - box.x) / box.width) * size.width),
    y: Math.round(((y - box.y) / box.height) * size.height),
  }));
}
