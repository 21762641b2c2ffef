import { expect, test } from "vitest";
import { examine } from "../../../../docs/test/examine.js";
import { describeInBrowser } from "../../../../docs/test/open-browser.js";
import { testAdminKey } from "../../../../gateway/test/gateway/test-gateway.js";
import { suiteConsole } from "../suite-console.js";

describeInBrowser("a second target for a model", () => {
  const suite = suiteConsole({
    config: (baseUrl) => `
upstreams:
  one: { provider: openai-compatible, baseUrl: "${baseUrl}" }
  two: { provider: openai-compatible, baseUrl: "${baseUrl}" }
models:
  m: { type: embedding, dimensions: 32, targets: [{ upstream: one, model: nomic }] }
`,
  });
  const button = (name: string) => suite.site.page.getByRole("button", { name, exact: true });
  const verdict = (text: RegExp) => suite.site.page.getByRole("status").filter({ hasText: text }).waitFor();
  const spaceOf = async () => {
    const response = await suite.gateway.send("/v1/models/m");
    return ((await response.json()) as { embedding: { space: string } }).embedding.space;
  };

  /** Follows the link of the rehearsal, and names a target at the other upstream. */
  async function nameTarget(model: string): Promise<void> {
    const { page } = suite.site;
    await suite.site.signIn(testAdminKey, "#/upstreams?down=one");
    await page.getByRole("link", { name: "Add a second target to m" }).click();
    await page.getByLabel("Upstream").nth(1).selectOption("two");
    await page.getByLabel("Its model").nth(1).fill(model);
  }

  test("vectors of another space are found before the targets are joined", async () => {
    const { upstream } = suite;
    await upstream.follow({ always: { width: 32 }, models: { wider: { width: 64 } } });
    await nameTarget("wider");
    await button("Compare the targets").click();

    await verdict(/^Do not mix: .* vectors of another space than /);
    expect(await suite.site.page.getByRole("button", { name: /^Join them/ }).count()).toBe(0);
    const asked = upstream.received
      .slice(-2)
      .map(({ body }) => [body.model, (body.input as unknown[]).length]);
    expect(asked).toEqual([
      ["nomic", 16],
      ["wider", 16],
    ]);
  });

  test("targets that were not compared are said in the review", async () => {
    await suite.upstream.follow({ always: { width: 32 } });
    await nameTarget("nomic");
    await button("Review").click();

    await verdict(/^Not all targets were compared The vectors of one \/ nomic and two \/ nomic were not/);
    expect(await button("Apply").isEnabled()).toBe(true);
  });

  test("a target that does not reply is named with its reason", async () => {
    await suite.upstream.follow({
      always: { width: 32 },
      models: { locked: { faults: [{ kind: "reply", status: 401 }] } },
    });
    await nameTarget("locked");
    await button("Compare the targets").click();

    await verdict(/^Only one \/ nomic replied/);
    await suite.site.page.getByText(/^two \/ locked: .*credentials/).waitFor();
  });

  test.each([
    { theme: "light", width: 1280 },
    { theme: "dark", width: 390 },
  ] as const)("axe finds nothing in $theme, $width pixels wide", async ({ theme, width }) => {
    const { page } = suite.site;
    await page.setViewportSize({ width, height: 860 });
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await nameTarget("nomic-v1.5");
    await button("Review").click();
    await button("Compare the targets").click();
    await verdict(/^Safe to mix/);

    expect(await examine(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
  });

  test("targets with different names are compared, joined, and keep the id of the space", async () => {
    const { page } = suite.site;
    const before = await spaceOf();
    await nameTarget("nomic-v1.5");
    await button("Review").click();
    await page.getByText("The targets have different names, so their vector space needs one.").waitFor();
    const field = page.getByLabel("Name of the space");
    await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);

    await button("Compare the targets").click();
    await verdict(/^Safe to mix: the targets give the same vectors, and can be joined/);
    await button("Join them in the space nomic@32").click();
    await expect.poll(() => field.inputValue()).toBe("nomic@32");
    await button("Review").click();
    await button("Apply").click();
    await page.getByText("m is changed.").waitFor();
    await page.getByRole("link", { name: "Compare targets of m" }).click();
    await verdict(/^Safe to mix: both targets/);

    expect(await spaceOf()).toBe(before);
    await field.waitFor({ state: "detached" });
  });

  test("another name for the space of a model warns that it starts a new one", async () => {
    const { page } = suite.site;
    await suite.site.signIn(testAdminKey, "#/models/change?model=m");
    await page.getByLabel("Name of the space").fill("mine");

    await verdict(/^The space was nomic@32\. Another name starts a new one/);
  });

  test("the rehearsal says why the second target does not help", async () => {
    const { page } = suite.site;
    await suite.site.signIn(testAdminKey, "#/upstreams?down=one&down=two");

    await page.getByText("Its targets are at one and two, which are all down here.").waitFor();
    await page.getByRole("link", { name: "Add a target at another upstream to m" }).waitFor();
  });

  test("a new model whose targets differ is added with a consent alone, and the warning stays", async () => {
    const { page } = suite.site;
    await suite.upstream.follow({ always: { width: 32 }, models: { wider: { width: 64 } } });
    await suite.site.signIn(testAdminKey, "#/models/add?upstream=one&name=nomic-embed-text&add=target");
    await page.getByLabel("Upstream", { exact: true }).nth(1).selectOption("two");
    await page.getByLabel("Its model").nth(1).fill("wider");
    await page.getByLabel("Name of the space").fill("mixed");
    await page.getByLabel("Id for callers").fill("mixed");
    await button("Compare the targets").click();
    await verdict(/^Do not mix: two \/ wider .* or correct the name there\.$/);
    await button("Review").click();

    await verdict(/^Their vectors differ Do not mix: two \/ wider /);
    expect(await button("Apply").isDisabled()).toBe(true);
    expect(await examine(page)).toEqual([]);
    await page.getByLabel("I know that their vectors may not be comparable").check();
    await button("Apply").click();
    await page.getByText("mixed is added.").waitFor();
    await verdict(/^Their vectors differ Do not mix: two \/ wider /);
  });
});
