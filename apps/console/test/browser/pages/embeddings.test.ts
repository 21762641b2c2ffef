import { expect, test } from "vitest";
import { describeInBrowser } from "../../../../docs/test/open-browser.js";
import { testKey } from "../../../../gateway/test/gateway/test-gateway.js";
import { suiteConsole } from "../suite-console.js";

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
