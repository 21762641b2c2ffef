import { expect, test } from "vitest";
import { describeInBrowser } from "../../../../docs/test/open-browser.js";
import { testAdminKey } from "../../../../gateway/test/gateway/test-gateway.js";
import { suiteConsole } from "../suite-console.js";

describeInBrowser("the overview", () => {
  const suite = suiteConsole();

  test("the overview asks three questions and follows the events", async () => {
    const { site } = suite;
    await site.signIn(testAdminKey, "#/configuration");
    await site.loaded("Configuration");
    // As after the first visit. The steps of a new gateway ask more.
    await site.page.evaluate(() => localStorage.setItem("model-gateway.first-steps", "over"));
    const before = site.addresses.length;

    await site.choose("Overview");
    await site.page.getByRole("heading", { name: /Requests per hour/ }).waitFor();

    const asked = site.addresses.slice(before).map((address) => new URL(address).pathname);
    expect(asked.filter((path) => path.startsWith("/admin/")).sort()).toEqual([
      "/admin/v1/alerts",
      "/admin/v1/usage",
      "/admin/v1/usage",
    ]);
  });
});
