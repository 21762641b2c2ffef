import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { examine } from "../../../../docs/test/examine.js";
import { describeInBrowser } from "../../../../docs/test/open-browser.js";
import {
  type FakeUpstream,
  startFakeUpstream,
} from "../../../../gateway/test/fake-upstream/fake-upstream.mjs";
import { type BuiltGateway, startBuiltGateway } from "../../../../gateway/test/gateway/built.js";
import { testAdminKey } from "../../../../gateway/test/gateway/test-gateway.js";
import { ConsolePage } from "../console-page.js";

const listed = ["tiny-embed", "wide-embed"];

let upstream: FakeUpstream;
let gateway: BuiltGateway;
let site: ConsolePage;
let file: string;
let written: string;

/** Each test begins with the same file. */
describeInBrowser("changes of the configuration from the console", () => {
  beforeAll(async () => {
    upstream = await startFakeUpstream({ script: { always: { width: 32 }, listed } });
    gateway = await startBuiltGateway(
      `
# Two models share an upstream.
upstreams:
  studio:
    provider: openai-compatible
    baseUrl: ${upstream.baseUrl} # In the cellar.
    apiKey: \${STUDIO_KEY}
models:
  tiny: { type: embedding, targets: [{ upstream: studio, model: tiny-embed }] }
  # Twice as wide.
  wide: { type: embedding, targets: [{ upstream: studio, model: wide-embed }] }
  anchored: &anchored { type: embedding, targets: [{ upstream: studio, model: tiny-embed }] }
  aliased: *anchored
`,
      { environment: { STUDIO_KEY: "studio-key-0123456789" } },
    );
    file = join(dirname(gateway.dataDir), "gateway.yaml");
    written = readFileSync(file, "utf8");
    site = await ConsolePage.open(`${gateway.url}/console/`);
  });
  beforeEach(async () => {
    await upstream.follow({ always: { width: 32 }, listed });
    chmodSync(file, 0o644);
    if (readFileSync(file, "utf8") !== written) await replaceFile(written);
  });
  afterAll(async () => {
    await site.close();
    await gateway.stop();
    await upstream.close();
  });

  test("a file that cannot be written gets lines to paste, and the key a variable", async () => {
    chmodSync(file, 0o444);
    await addUpstream({ baseUrl: upstream.baseUrl, apiKey: "sk-0123456789abcdef" });
    await button("Try it").click();
    await site.page.getByText(/it lists 2 models/).waitFor();
    await button("Continue").click();
    await site.page.getByLabel("tiny-embed").check();
    await site.page.getByLabel("Id for callers").fill("third");
    await button("Review").click();

    await site.page.getByText(`The gateway may not write ${file}.`).waitFor();
    const lines = await site.page.getByRole("region", { name: /^The lines for/ }).textContent();
    expect(lines).toMatch(
      /^upstreams:\n {2}openai-compatible:\n[\s\S]*apiKey: \$\{(\w+)\}\n[\s\S]*models:\n {2}third:\n/,
    );
    const variable = /\$\{(\w+)\}/.exec(lines ?? "")?.[1] ?? "";
    await site.page
      .getByText(/A key stays out of the file/)
      .getByText(variable)
      .waitFor();
    expect(await button("Apply").count()).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(written);
  });

  test("an entry that an alias repeats gets lines to paste", async () => {
    await site.signIn(testAdminKey, "#/models/change?model=anchored");
    await site.page.getByLabel("Dimensions").fill("32");
    await button("Review").click();

    await site.page.getByText(/cannot be changed in place/).waitFor();
    const lines = await site.page.getByRole("region", { name: /^The lines for/ }).textContent();
    expect(lines).toMatch(/^models:\n {2}anchored:\n[\s\S]*dimensions: 32\n/);
  });

  test("a refused key and a dead host get a sentence that helps", async () => {
    await upstream.follow({ listed: 401 });
    await addUpstream({ baseUrl: upstream.baseUrl, apiKey: "sk-wrong" });
    await button("Try it").click();
    await site.page.getByText(/It failed/).waitFor();
    expect(await site.page.locator(".trial").textContent()).toMatch(/key/i);

    await site.page.getByLabel("Base URL").fill("http://127.0.0.1:9/v1");
    await button("Try it").click();
    await expect
      .poll(() => site.page.locator(".trial").textContent())
      .toMatch(/127\.0\.0\.1:9|refus|connect/i);
    await button("Continue").click();
    await site.page.getByText(/The trial failed, so the models of the upstream are not known/).waitFor();
  });

  test("a service is found by its name, and its form has its address and says what it needs", async () => {
    await site.signIn(testAdminKey, "#/upstreams/add");
    for (const [search, title] of [
      ["vllm", "vLLM"],
      ["lm studio", "LM Studio"],
      ["fireworks", "Fireworks AI"],
    ] as const) {
      await site.page.getByLabel("Find a provider").fill(search);
      await site.page.locator(".choice").getByText(title, { exact: true }).waitFor();
    }
    await site.page.getByRole("link", { name: /^Fireworks AI/ }).click();
    await site.page
      .getByText("The address of Fireworks AI is https://api.fireworks.ai/inference/v1")
      .waitFor();
    await site.page.getByRole("heading", { name: "Add upstream: Fireworks AI" }).waitFor();
    expect(await site.page.getByLabel("Name").inputValue()).toBe("fireworks");
    const preset = site.page.getByLabel("Preset (optional)");
    expect(await preset.inputValue()).toBe("fireworks");
    await site.page.getByLabel("Base URL (optional)", { exact: true }).waitFor();
    await site.page.getByLabel("API key", { exact: true }).waitFor();
    await site.page.getByText("Or ${FIREWORKS_API_KEY}").waitFor();
    await button("Try it").click();
    await expect.poll(isFocused).toBe("API key is required.");

    await preset.selectOption("Not set");
    await site.page.getByRole("heading", { name: "Add upstream: OpenAI-compatible server" }).waitFor();
    await site.page.getByLabel("API key (optional)", { exact: true }).waitFor();
    const labels = await site.page.locator("form .field > label").allTextContents();
    expect(labels.slice(0, 4)).toEqual(["Name", "Preset (optional)", "Base URL", "API key (optional)"]);
    await preset.selectOption("vLLM");
    await site.page.getByLabel("Base URL (optional)").fill(upstream.baseUrl);
    await button("Continue").click();
    await site.page.getByLabel("Another model").waitFor();
  });

  test("a missing setting and a refused one are faults of their fields, and the first has the focus", async () => {
    await addUpstream({ baseUrl: "", apiKey: "" });
    await button("Continue").click();
    const field = site.page.getByLabel("Base URL");
    await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
    await expect.poll(isFocused).toBe("Base URL is required.");

    await field.fill("not an address");
    expect(await field.getAttribute("aria-invalid")).toBeNull();
    await button("Continue").click();
    await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
    await expect.poll(isFocused).toBe("Begin with http:// or https://.");

    await field.fill("127.0.0.1:9/v1");
    await button("Try it").click();
    await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
    await expect.poll(isFocused).toBe("Begin with http:// or https://, as in http://127.0.0.1:9/v1.");
    expect(await site.page.locator(".fault").count()).toBe(0);
  });

  test("models are added with their prices, and a price that is none is a fault of its field", async () => {
    await addUpstream({ baseUrl: upstream.baseUrl, apiKey: "" });
    await button("Try it").click();
    await site.page.getByText(/it lists 2 models/).waitFor();
    await button("Continue").click();
    await site.page.getByLabel("tiny-embed").check();
    const price = site.page.getByLabel("Price per 1M tokens, $");
    await price.fill("cheap");
    await button("Review").click();
    await expect.poll(() => price.getAttribute("aria-invalid")).toBe("true");
    await expect.poll(isFocused).toBe("Enter an amount in US dollars, such as 0.02.");

    await price.fill("0.02");
    await button("Review").click();
    const change = await site.page.getByRole("region", { name: /^The change to/ }).textContent();

    expect(change).toMatch(/perMillionTokens: 0\.02/);
  });

  test("an upstream whose trial failed is added with a warning, and is not shown as healthy", async () => {
    await addUpstream({ baseUrl: "http://127.0.0.1:9/v1", apiKey: "" });
    await button("Try it").click();
    await site.page.getByText("It failed").waitFor();
    await button("Continue").click();
    await site.page.getByLabel("Another model").fill("by-hand");
    await button("Add").click();
    await button("Review").click();
    await expect.poll(isFocused).toBe("Choose what the model makes.");
    await site.page.getByLabel("Type").selectOption("embedding");
    await button("Review").click();
    await site.page.getByText("Its last trial failed").waitFor();
    await button("Apply").click();

    await site.page.getByText("openai-compatible is added.").waitFor();
    await site.page.getByText("Its last trial failed").waitFor();
    await site.page.getByRole("link", { name: "All upstreams" }).click();
    const row = site.page.getByRole("row", { name: /^by-hand/ });
    await row.getByText("unknown", { exact: true }).waitFor();
    expect(await row.getByText("healthy", { exact: true }).count()).toBe(0);
  });

  test("the trial is named at the width only where there is one", async () => {
    await site.signIn(testAdminKey, "#/models/add");
    await site.page.getByLabel("Type").selectOption("embedding");
    await site.page.getByLabel("Dimensions (optional)").waitFor();

    expect(await site.page.getByText(/“Try it” above/).count()).toBe(0);
    await site.page.getByLabel("Its model").fill("tiny-embed");
    await site.page.getByText(/“Try it” above fills this in/).waitFor();
    await button("Try it").waitFor();
  });

  test("Back keeps what was typed, and Escape goes one step back", async () => {
    await addUpstream({ baseUrl: upstream.baseUrl, apiKey: "" });
    await button("Continue").click();
    // The list moves what is below it.
    await site.page.getByLabel("tiny-embed").waitFor();
    await site.page.getByLabel("Another model").fill("embed-by-hand");
    await button("Add").click();
    await upstream.follow({
      models: { "embed-by-hand": { faults: [{ kind: "reply", status: 401 }] } },
      listed,
    });
    await button("Try it embed-by-hand").click();
    await site.page.getByText("It failed").waitFor();
    await button("Review").click();
    await site.page.getByRole("region", { name: /^The change to/ }).waitFor();

    await site.page.goBack();
    await expect.poll(() => site.page.getByLabel("embed-by-hand").isChecked()).toBe(true);
    await site.page.getByText("It failed").waitFor();
    await site.page.keyboard.press("Escape");
    await expect.poll(() => site.page.getByLabel("Base URL").inputValue()).toBe(upstream.baseUrl);
  });

  test("another provider begins with empty fields, and without the trial of the first", async () => {
    await addUpstream({ baseUrl: "http://127.0.0.1:9/v1", apiKey: "sk-0123456789abcdef" });
    await button("Try it").click();
    await site.page.getByText("It failed").waitFor();
    await site.page.getByRole("link", { name: "Back" }).click();
    await site.page.getByRole("link", { name: /openai-compatible/ }).click();
    await site.page.getByText("It failed").waitFor();
    await site.page.getByRole("link", { name: "Back" }).click();
    await site.page.getByRole("link", { name: /mistral/ }).click();

    await expect.poll(() => site.page.getByLabel("API key").inputValue()).toBe("");
    expect(await site.page.getByText("It failed").count()).toBe(0);
  });

  test("a file that changed in the meantime is reviewed again, and nothing typed is lost", async () => {
    await site.signIn(testAdminKey, "#/models/change?model=tiny");
    await site.page.getByLabel("Dimensions").fill("32");
    await button("Review").click();
    await site.page.getByRole("region", { name: /^The change to/ }).waitFor();
    await replaceFile(written.replace("# Twice as wide.", "# Three times as wide."));

    await button("Apply").click();
    await button("Reload and review again").click();
    await expect.poll(() => button("Apply").isEnabled()).toBe(true);
    await button("Apply").click();

    await site.page.getByText("tiny is changed.").waitFor();
    expect(readFileSync(file, "utf8")).toContain("# Three times as wide.");
    expect(readFileSync(file, "utf8")).toContain("dimensions: 32");
  });

  test("an upstream is changed: its secret stays, and only one line of the file is another", async () => {
    await site.signIn(testAdminKey, "#/upstreams");
    await site.page.getByRole("link", { name: "Change studio" }).click();
    await site.page.getByText("More settings").click();
    await site.page.getByLabel("Timeout, ms").fill("4321");
    await button("Review").click();
    await button("Apply").click();
    await site.page.getByText("studio is changed.").waitFor();

    const lines = readFileSync(file, "utf8").split("\n");
    expect(lines.filter((line) => !written.split("\n").includes(line))).toEqual(["    timeoutMs: 4321"]);
    expect(lines).toContain("    apiKey: ${STUDIO_KEY}");
    expect(lines.join("\n")).toContain("# In the cellar.");
  });

  test("an upstream in use is not removed; a model is, with its lines alone", async () => {
    await site.signIn(testAdminKey, "#/upstreams");
    await site.page.getByRole("link", { name: "Remove studio" }).click();
    await site.page.getByText("It is still in use.").waitFor();
    await site.page.keyboard.press("Escape");
    await expect.poll(() => site.page.getByRole("dialog").count()).toBe(0);

    await site.choose("Models");
    await site.page.getByRole("link", { name: "Remove tiny" }).click();
    await button("Remove tiny").click();
    await site.page.getByText("tiny is removed.").waitFor();

    expect(readFileSync(file, "utf8")).toBe(written.replace(/ {2}tiny: .*\n/, ""));
  });

  test("a model is added at an upstream that exists", async () => {
    await site.signIn(testAdminKey, "#/models");
    await site.page.getByRole("link", { name: "Add model" }).click();
    await site.page.getByText("studio lists 2 models:").waitFor();
    const choices = site.page.getByRole("group", { name: "Models of studio" }).getByRole("button");
    expect(await choices.allTextContents()).toEqual(["tiny-embed added as tiny", "wide-embed added as wide"]);
    await button("wide-embed added as wide").click();
    await expect.poll(() => site.page.getByLabel("Its model").inputValue()).toBe("wide-embed");
    expect(await button("wide-embed added as wide").getAttribute("aria-pressed")).toBe("true");
    await site.page.getByLabel("Its model").fill("tiny");
    await expect.poll(() => choices.count()).toBe(1);
    await site.page.getByLabel("Its model").fill("third-embed");
    await button("Try it").click();
    await site.page.getByText(/its vectors are 32 wide/).waitFor();
    await expect.poll(() => site.page.getByLabel("Id for callers").inputValue()).toBe("third-embed");
    await site.page.getByLabel("Type").selectOption("embedding");
    expect(await site.page.getByLabel("Dimensions").inputValue()).toBe("32");
    await button("Review").click();
    await site.page.getByText("Budgets do not count requests without a price.").waitFor();
    await site.page.getByRole("link", { name: "Back", exact: true }).click();
    await site.page.getByLabel("Price per 1M tokens").fill("0.02");
    await button("Review").click();
    await site.page.locator(".fact").filter({ hasText: "third-embed" }).getByText("$0.02 / 1M").waitFor();
    expect(await site.page.getByText("Budgets do not count").count()).toBe(0);
    await button("Apply").click();
    await site.page.getByText("third-embed is added.").waitFor();
    expect(readFileSync(file, "utf8")).toMatch(/dimensions: 32\n +price:\n +perMillionTokens: 0.02\n/);

    await site.page.getByRole("link", { name: "See the model third-embed" }).click();
    await site.page.getByRole("article", { name: "third-embed" }).waitFor();
  });

  test("an upstream that cannot list its models says so before one is added, and can be asked again", async () => {
    await upstream.follow({ always: { width: 32 }, listed: 401 });
    await site.signIn(testAdminKey, "#/models/add");
    await site.page.getByText("It failed").waitFor();
    await site.page.getByLabel("Its model").fill("third-embed");
    await button("Review").click();
    await site.page.getByText("Its last trial failed").waitFor();
    await site.page.getByRole("link", { name: "Back", exact: true }).click();

    await upstream.follow({ always: { width: 32 }, listed });
    await button("List its models again").click();

    await site.page.getByText("studio lists 2 models:").waitFor();
  });

  test("the models of an upstream that was not tried are listed on the way to them", async () => {
    const calls = upstream.seen().requests;
    await addUpstream({ baseUrl: upstream.baseUrl, apiKey: "" });
    await button("Continue").click();

    await site.page.getByLabel("wide-embed").waitFor();
    expect(upstream.seen().requests).toBe(calls);
  });

  const views = (["light", "dark"] as const).flatMap((theme) =>
    [1440, 390].map((width) => ({ theme, width })),
  );

  test.each(views)(
    "axe finds nothing in the forms, in $theme and $width pixels wide",
    async ({ theme, width }) => {
      await site.page.setViewportSize({ width, height: 860 });
      await site.page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
      const findings: Record<string, unknown> = {};
      const look = async (name: string) => {
        const scrollWidth = await site.page.evaluate("document.documentElement.scrollWidth");
        findings[name] = [
          ...(await examine(site.page)),
          ...(scrollWidth === width ? [] : [`${scrollWidth} wide`]),
        ];
      };
      await site.signIn(testAdminKey, "#/upstreams/add");
      await site.page.getByLabel("Find a provider").waitFor();
      await look("providers");
      await site.page.getByRole("link", { name: /openai-compatible/ }).click();
      await site.page.getByText("More settings").click();
      await button("Continue").click();
      await look("settings with faults");
      await site.page.getByLabel("Base URL").fill(upstream.baseUrl);
      await button("Try it").click();
      await site.page.getByText(/it lists 2 models/).waitFor();
      await button("Continue").click();
      await site.page.getByLabel("tiny-embed").check();
      await site.page.getByLabel("Id for callers").fill("third");
      await look("models");
      await button("Review").click();
      await site.page.getByRole("region", { name: /^The change to/ }).waitFor();
      await look("review");
      await site.signIn(testAdminKey, "#/models?remove=wide");
      await site.page.getByRole("region", { name: /^The change to/ }).waitFor();
      await look("removal");
      await site.signIn(testAdminKey, "#/models/change?model=wide");
      await site.page.getByLabel("Its model").waitFor();
      await look("model");

      expect(Object.values(findings)).toEqual(Object.keys(findings).map(() => []));
    },
  );

  test("no policy was broken", () => {
    expect(site.complaints(/^(400|409) for /)).toEqual([]);
  });
});

async function addUpstream({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): Promise<void> {
  await site.signIn(testAdminKey, "#/upstreams/add?provider=openai-compatible");
  await site.page.getByLabel("Base URL").fill(baseUrl);
  await site.page.getByLabel("API key").fill(apiKey);
}

function button(name: string) {
  return site.page.getByRole("button", { name, exact: true });
}

/** The fault that is described at the field with the focus. */
function isFocused(): Promise<string> {
  return site.page.evaluate(
    "document.activeElement.parentElement.querySelector('.field-fault')?.textContent ?? ''",
  );
}

/** Writes the file, and waits until it is in force. */
async function replaceFile(text: string): Promise<void> {
  writeFileSync(file, text);
  process.kill(gateway.pid, "SIGHUP");
  const versionOf = async (path: string, body?: unknown) => {
    const response = await gateway.send(path, {
      headers: { authorization: `Bearer ${testAdminKey}`, "content-type": "application/json" },
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    });
    return ((await response.json()) as { version: unknown }).version;
  };
  const written = await versionOf("/admin/v1/configuration/changes", {
    dry_run: true,
    models: { wide: null },
  });
  await expect.poll(() => versionOf("/admin/v1/configuration")).toBe(written);
}
