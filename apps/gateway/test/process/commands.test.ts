import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { importedProviders as bifrostProviders } from "@model-gateway/cli/import/bifrost/providers";
import { importedProviders as litellmProviders } from "@model-gateway/cli/import/litellm/providers";
import OpenAI from "openai";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { startFakeUpstream } from "../fake-upstream/fake-upstream.mjs";
import { GatewayFolder } from "../gateway/built.js";

const guides = new URL("../../../docs/guides/", import.meta.url);

/** The commands of the built gateway, as a shell runs them. */
let folder: GatewayFolder;
beforeEach(() => {
  folder = new GatewayFolder();
});
afterEach(() => folder.remove());

async function run(...flags: string[]) {
  const launched = folder.launch({}, { flags });
  const exitCode = await launched.exit;
  return { exitCode, stdout: launched.stdout(), stderr: launched.stderr() };
}

function read(file: string): string {
  return readFileSync(join(folder.folder, file), "utf8");
}

test("--version prints the version, and --help every command", async () => {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

  const [printed, help] = [await run("--version"), await run("--help")];

  expect(printed).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: "" });
  expect(help).toMatchObject({ exitCode: 0, stderr: "" });
  for (const command of [
    "check [file]",
    "doctor [file]",
    "import litellm <file>",
    "import bifrost <file>",
    "--config <file>",
    "--version",
  ])
    expect(help.stdout).toContain(command);
});

test.each([
  ["--confg", 'Unknown option "--confg". Did you mean --config?'],
  ["serv", 'Unknown command "serv". Did you mean serve?'],
])("%s ends with 2 and points to --help, without a stack", async (flag, message) => {
  expect(await run(flag)).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: `${message}\nThe option --help lists all commands and options.\n`,
  });
});

describe("doctor", () => {
  const mine = (upstream: string, model: string) => `{ upstream: ${upstream}, model: ${model}, space: mine }`;

  test("finds that two models of one width are not one space", async () => {
    folder.configure(`
upstreams: { local: { provider: local }, twin: { provider: local } }
models:
  gte: { type: embedding, targets: [${mine("local", "gte-small")}, ${mine("twin", "gte-small")}] }
  mini: { type: embedding, targets: [${mine("local", "all-MiniLM-L6-v2")}] }
  picture: { type: image, targets: [{ upstream: local, model: local-sketch }] }
`);

    const { exitCode, stdout, stderr } = await run("doctor");

    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "" });
    expect(stdout.match(/^Space .*/gm)).toEqual(["Space mine"]);
    expect(stdout).toMatch(/gte +local +gte-small +384 .* reference\n/);
    expect(stdout).toMatch(/gte +twin +gte-small +384 .* 1\.0000 +16 of 16 +same\n/);
    expect(stdout).toMatch(/mini +local +all-MiniLM-L6-v2 +384 .* different\n/);
    expect(stdout).toContain("Mixed: mine. ");
    expect(existsSync(join(folder.folder, "data"))).toBe(false);
  });

  test("asks in batches that a target takes, and says which target did not reply", async () => {
    const upstream = await startFakeUpstream({ script: { always: { width: 8 } } });
    folder.configure(`
upstreams:
  good: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" }
  away: { provider: openai-compatible, baseUrl: "http://127.0.0.1:9/v1" }
models:
  text: { type: embedding, targets: [{ upstream: good, model: m, maxInputs: 5 }] }
  both: { type: embedding, targets: [{ upstream: good, model: n }, { upstream: away, model: n }] }
`);

    const { exitCode, stdout } = await run("doctor");
    await upstream.close();

    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/both +away +n +- .* no reply\n {2}away: Nothing listens at /);
    expect(stdout).toContain("Not known: n@any. A target did not reply.");
    const sizes = upstream.received
      .filter(({ body }) => body.model === "m")
      .map(({ body }) => (body.input as unknown[]).length);
    expect(sizes).toEqual([5, 5, 5, 1]);
  });

  test("finds that two targets agree in texts, and not in images", async () => {
    const upstream = await startFakeUpstream({ script: { models: { odd: { imageVectors: "other" } } } });
    const target = (model: string) => `{ upstream: good, model: ${model}, space: mine, inputImages: true }`;
    folder.configure(`
upstreams: { good: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  images: { type: embedding, targets: [${target("m")}, ${target("n")}, ${target("odd")}] }
  text: { type: embedding, targets: [{ upstream: good, model: t, space: mine }] }
`);

    const { exitCode, stdout } = await run("doctor");
    await upstream.close();

    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/neighbours kept +lowest of images +verdict\n/);
    expect(stdout).toMatch(/images +good +m .* reference\n/);
    expect(stdout).toMatch(/images +good +n .* 1\.0000 +16 of 16 +1\.0000 +same\n/);
    expect(stdout).toMatch(/images +good +odd .* 1\.0000 +16 of 16 +-?0\.\d+ +different in images\n/);
    expect(stdout).toMatch(/text +good +t .* 1\.0000 +16 of 16 +- +same\n/);
    expect(stdout).toContain("Mixed: mine. ");
  });

  test("is content with targets that agree", async () => {
    folder.configure(`
upstreams: { local: { provider: local }, twin: { provider: local } }
models: { gte: { type: embedding, targets: [{ upstream: local, model: gte-small }, { upstream: twin, model: gte-small }] } }
`);

    const { exitCode, stdout } = await run("doctor", "gateway.yaml");

    expect(exitCode).toBe(0);
    expect(stdout).toContain("The targets of each space agree.");
  });
});

test.each([
  ["moving-from-litellm.md", litellmProviders],
  ["moving-from-bifrost.md", bifrostProviders],
])("%s names every provider that is imported, and no other", (guide, providers) => {
  const moving = readFileSync(new URL(guide, guides), "utf8");
  const [, table = ""] = /^## Providers\n([\s\S]*?)^## /m.exec(moving) ?? [];
  const rows = table.split("\n").filter((line) => line.startsWith("| `"));
  const named = rows.flatMap((row) =>
    [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );

  expect(named.sort()).toEqual(Object.keys(providers).sort());
});

describe("a running gateway", () => {
  /** As a person in the folder of the gateway, who knows no key. */
  const runLocally = async (...flags: string[]) => {
    const launched = folder.launch({ GATEWAY_ADMIN_KEY: "", PORT: "" }, { flags });
    return { exitCode: await launched.exit, stdout: launched.stdout(), stderr: launched.stderr() };
  };

  test("is found by commands in its folder, which need no key, until it stops", async () => {
    const gateway = await folder.start();
    const file = join(gateway.dataDir, "run.json");
    const { mode } = statSync(file);

    const [status, tried, created, link] = [
      await runLocally("status"),
      await runLocally("try", "The cat sat on the mat.", "--json"),
      await runLocally("keys", "create", "web", "--json"),
      await runLocally("link"),
    ];
    const code = /^http:\S+\/console\/#code=(\S+)\n/.exec(link.stdout)?.[1] ?? "";
    const signIn = { method: "POST", headers: { authorization: `Bearer ${code}` } };
    const session = await gateway.send("/admin/v1/sessions", signIn);
    const { secret } = JSON.parse(readFileSync(file, "utf8"));
    await gateway.stop();
    const stopped = await runLocally("status");

    expect(mode & 0o777).toBe(0o600);
    expect(status).toMatchObject({ exitCode: 0, stderr: "" });
    expect(status.stdout).toMatch(
      new RegExp(
        `^Model Gateway \\S+ at ${gateway.url} is ready\\.\n {2}up \\d+ s, process ${gateway.pid}, 1 worker\n`,
      ),
    );
    expect(JSON.parse(tried.stdout)).toMatchObject({
      model: "gte-small",
      dimensions: 384,
      upstream: "local",
    });
    expect(JSON.parse(created.stdout)).toMatchObject({ name: "web", status: "active" });
    expect(await session.json()).toMatchObject({ kind: "operator" });
    expect(existsSync(file)).toBe(false);
    expect(stopped.stderr).toContain("No gateway responds at http://127.0.0.1:8080 (the default address, ");
    expect(folder.output).not.toContain(secret);
  });

  test("that was killed leaves its file, and the message names it", async () => {
    const gateway = await folder.start();
    await gateway.kill();

    const { exitCode, stderr } = await runLocally("keys", "list");

    expect(exitCode).toBe(1);
    expect(stderr).toContain(`No gateway responds at ${gateway.url} (${join(gateway.dataDir, "run.json")}, `);
  });

  test("is followed until Ctrl-C", async () => {
    const gateway = await folder.start();
    const following = folder.launch({ GATEWAY_ADMIN_KEY: "", PORT: "" }, { flags: ["logs", "--follow"] });
    await vi.waitUntil(
      async () => {
        await runLocally("try", "again");
        return following.stdout().includes("createEmbedding");
      },
      { timeout: 120_000 },
    );

    following.process.kill("SIGINT");

    expect([await following.exit, following.stderr()]).toEqual([0, ""]);
    expect(following.stdout()).not.toContain("\u001b");
    await gateway.stop();
  });
});

describe("check", () => {
  test("a valid file is summarised, and nothing is started or created", async () => {
    folder.configure(`
keys: [{ name: dev, key: plain-text-key }]
upstreams: { shed: { provider: openai-compatible, baseUrl: "http://user:hidden@127.0.0.1:9/v1" } }
models: { m: { type: embedding, targets: [{ upstream: shed, model: x }] } }
`);

    const { exitCode, stdout, stderr } = await run("check");

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toBe(
      [
        `OK: ${join(folder.folder, "gateway.yaml")}`,
        "1 upstream",
        "  shed: openai-compatible, http://127.0.0.1:9/v1",
        "1 model",
        "  m: embedding, shed",
        "1 key",
        "1 warning",
        '  The key "dev" is in the configuration file as plain text. Use ${NAME} or sha256 instead.',
        "",
      ].join("\n"),
    );
    expect(() => read("data")).toThrow("ENOENT");
  });

  test("every fault of another file is listed, and the exit code is 1", async () => {
    folder.write(
      "other.yaml",
      "logLevel: loud\nupstreams: {}\nmodels: { m: { type: embedding, targets: [] } }",
    );

    const { exitCode, stdout, stderr } = await run("check", "other.yaml");

    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr.split("\n")).toEqual([
      "The configuration has 2 errors:",
      "  other.yaml:1:11  logLevel: must be one of: fatal, error, warn, info, debug, trace, silent",
      "  other.yaml:3:42  models.m.targets: must have at least 1 entry",
      "",
    ]);
  });
});

describe("import", () => {
  test("a LiteLLM configuration is imported, passes the check, starts, and serves", async () => {
    const upstream = await startFakeUpstream({ script: { always: { width: 1536 } } });
    folder.write(
      "config.yaml",
      `
model_list:
  - model_name: search
    litellm_params:
      model: openai/text-embedding-3-small
      api_base: ${upstream.baseUrl}
      api_key: os.environ/SEARCH_KEY
      rpm: 6000
    model_info: { mode: embedding }
  - model_name: gpt-4o
    litellm_params: { model: openai/gpt-4o, api_key: sk-plain-text }
router_settings: { model_group_alias: { ada: search }, num_retries: 1 }
general_settings: { master_key: os.environ/LITELLM_MASTER_KEY }
`,
    );
    const environment = { SEARCH_KEY: "sk-search", LITELLM_MASTER_KEY: "sk-the-master-key" };

    const imported = await run("import", "litellm", "config.yaml", "--out", "gateway.yaml");
    const check = folder.launch(environment, { flags: ["check"] });
    const checkCode = await check.exit;
    const gateway = await folder.start(environment);
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: environment.LITELLM_MASTER_KEY });
    const responses = [
      await client.embeddings.create({ model: "search", input: "The cat sat on the mat." }),
      await client.embeddings.create({ model: "ada", input: "A kitten rests.", dimensions: 256 }),
    ];
    const served = upstream.received.map(({ headers }) => headers.authorization);
    await upstream.close();

    expect(imported).toMatchObject({ exitCode: 0, stderr: "" });
    expect(imported.stdout).toContain("check gateway.yaml");
    expect(checkCode).toBe(0);
    expect(read("gateway.yaml")).toContain('model_list[1] "gpt-4o" (openai/gpt-4o)');
    expect(read("gateway.yaml")).not.toContain("sk-plain-text");
    expect(responses.map(({ data }) => data[0]?.embedding.length)).toEqual([1536, 256]);
    expect(served).toEqual(["Bearer sk-search", "Bearer sk-search"]);
  });

  test("by default it is printed, and no file is overwritten without --force", async () => {
    folder.write(
      "config.yaml",
      "model_list: [{ model_name: m, litellm_params: { model: openai/text-embedding-3-small } }]",
    );
    folder.configure("mine");

    const printed = await run("import", "litellm", "config.yaml");
    const refused = await run("import", "litellm", "config.yaml", "--out", "gateway.yaml");
    const kept = read("gateway.yaml");
    const forced = await run("import", "litellm", "config.yaml", "--out", "gateway.yaml", "--force");

    expect(printed).toMatchObject({ exitCode: 0, stderr: "" });
    expect(refused).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: "gateway.yaml exists already. Use --force to overwrite it, or another --out.\n",
    });
    expect(kept).toBe("mine");
    expect(forced.exitCode).toBe(0);
    expect(read("gateway.yaml")).toBe(printed.stdout);
  });

  test("a Bifrost configuration is imported, passes the check, starts, and serves", async () => {
    const upstream = await startFakeUpstream({ script: { always: { width: 1536 } } });
    folder.write(
      "config.json",
      JSON.stringify({
        providers: {
          openai: {
            keys: [{ name: "k", value: "env.SEARCH_KEY", models: ["*"], weight: 1 }],
            network_config: { base_url: new URL(upstream.baseUrl).origin },
          },
        },
        governance: {
          virtual_keys: [
            {
              id: "vk",
              name: "team",
              value: "env.TEAM_KEY",
              provider_configs: [{ provider: "openai", allowed_models: ["*"] }],
            },
          ],
        },
      }),
    );
    const environment = { SEARCH_KEY: "sk-search", TEAM_KEY: "sk-bf-the-team-key" };

    const recognised = await run("check", "config.json");
    const imported = await run("import", "bifrost", "config.json", "--out", "gateway.yaml");
    const gateway = await folder.start(environment);
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: environment.TEAM_KEY });
    const { data } = await client.embeddings.create({ model: "openai/text-embedding-3-small", input: "a" });
    const images = await client.images.generate({ model: "openai/gpt-image-2", prompt: "a fox" });
    await upstream.close();

    expect(recognised.exitCode).toBe(1);
    expect(recognised.stderr).toContain("import bifrost config.json --out gateway.yaml");
    expect(imported).toMatchObject({ exitCode: 0, stderr: "" });
    expect(data[0]?.embedding.length).toBe(1536);
    expect(images.data).toHaveLength(1);
  });

  test("a file that is missing or has no model is reported in one line, and nothing is written", async () => {
    folder.write("chat.yaml", "model_list: []");

    const missing = await run("import", "litellm", "nowhere.yaml");
    const empty = await run("import", "litellm", "chat.yaml", "--out", "gateway.yaml");

    expect(missing.stderr).toBe(
      "nowhere.yaml cannot be read (ENOENT). Check its path and its permissions.\n",
    );
    expect(empty.stderr).toBe("chat.yaml has no model that the gateway can serve.\n");
    expect([missing.exitCode, empty.exitCode]).toEqual([1, 1]);
    expect(() => read("gateway.yaml")).toThrow("ENOENT");
  });
});
