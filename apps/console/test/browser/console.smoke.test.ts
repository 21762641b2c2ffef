import { afterAll, beforeAll, expect, test } from "vitest";
import { describeInBrowser } from "../../../docs/test/open-browser.js";
import { type FakeUpstream, startFakeUpstream } from "../../../gateway/test/fake-upstream/fake-upstream.mjs";
import { type BuiltGateway, startBuiltGateway } from "../../../gateway/test/gateway/built.js";
import { testAdminKey } from "../../../gateway/test/gateway/test-gateway.js";
import { ConsolePage, operatorPages } from "./console-page.js";

let upstream: FakeUpstream;
let gateway: BuiltGateway;
let site: ConsolePage;

describeInBrowser("the console at a glance", () => {
  beforeAll(async () => {
    upstream = await startFakeUpstream({ script: { always: { width: 32 } } });
    gateway = await startBuiltGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  text: { type: embedding, targets: [{ upstream: fake, model: text }] }
  image: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: image }] }
`);
    site = await ConsolePage.open(`${gateway.url}/console/`);
  });
  afterAll(async () => {
    await site.close();
    await gateway.stop();
    await upstream.close();
  });

  test("a wrong key is refused with a sentence", async () => {
    await site.arrive();
    await site.page.getByLabel("Key").fill("not-a-key-0123456789");
    await site.page.getByRole("button", { name: "Sign in" }).click();

    await expect
      .poll(() => site.page.getByRole("alert").textContent())
      .toBe("This gateway does not know that key.");
  });

  test("an operator signs in and sees every page, and none fails", async () => {
    await site.signIn(testAdminKey);

    for (const name of operatorPages) {
      await site.choose(name);
      expect([name, await site.page.locator(".fault").count()]).toEqual([name, 0]);
    }
    expect(site.complaints(/401/)).toEqual([]);
  });
});
