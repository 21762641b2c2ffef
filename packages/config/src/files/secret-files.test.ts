import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ConfigError } from "../config-error.js";
import { loadConfig } from "../load-config.js";

const config = `
keys: [{ name: a, key: "\${CALLER_KEY}" }]
upstreams: { one: { provider: openai, apiKey: "\${PROVIDER_KEY}" } }
models: { m: { type: embedding, targets: [{ upstream: one, model: m }] } }
`;
const callerKey = "caller-key-0123456789";
const adminKey = "admin-key-0123456789";
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "secret-files-"));
  writeFileSync(join(folder, "gateway.yaml"), config);
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const load = (environment: Record<string, string>) => loadConfig({ environment, workingDirectory: folder });

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    load(environment);
    return [];
  } catch (failure) {
    return failure instanceof ConfigError ? failure.faults : [String(failure)];
  }
}

test("every variable may be in a file, whether it overrides a setting or is used in the file", () => {
  const fromVariables = load({
    CALLER_KEY: callerKey,
    PROVIDER_KEY: "provider",
    GATEWAY_ADMIN_KEY: adminKey,
    DATABASE_URL: "postgres://db/x",
  });
  write("database", "postgres://db/x\n");
  const fromFiles = load({
    CALLER_KEY_FILE: write("caller", `${callerKey}\n`),
    PROVIDER_KEY_FILE: write("provider", "provider\r\n"),
    GATEWAY_ADMIN_KEY_FILE: write("admin", adminKey),
    // Relative to the folder in which the gateway was started.
    DATABASE_URL_FILE: "database",
    // Nothing refers to it.
    OTHER_FILE: "/does/not/exist",
  });

  expect(fromFiles).toEqual(fromVariables);
});

test.each<[name: string, environment: () => Record<string, string>, message: RegExp]>([
  ["a missing file", () => ({ CALLER_KEY_FILE: "/does/not/exist" }), /CALLER_KEY_FILE names .* \(ENOENT\)/],
  ["an empty file", () => ({ CALLER_KEY_FILE: write("a", "\n") }), /CALLER_KEY_FILE names .* is empty/],
  ["a huge file", () => ({ CALLER_KEY_FILE: write("a", "x".repeat(100_000)) }), /too large for a secret/],
  [
    "both",
    () => ({ CALLER_KEY: callerKey, CALLER_KEY_FILE: write("a", callerKey) }),
    /CALLER_KEY_FILE is set, and so is CALLER_KEY; set one of them/,
  ],
])("%s is a fault that names the variable and no secret", (_name, environment, message) => {
  const faults = faultsOf({ PROVIDER_KEY: "provider", ...environment() });

  expect(faults.filter((fault) => message.test(fault))).toHaveLength(1);
  expect(faults.join()).not.toContain(callerKey);
});

test("a secret that was entered in the console is found in the data folder, after the environment", () => {
  mkdirSync(join(folder, "store", "secrets"), { recursive: true });
  write("gateway.yaml", `dataDir: "./\${STORE}"\n${config}`);
  write("store/secrets/CALLER_KEY", `${callerKey}\n`);
  write("store/secrets/PROVIDER_KEY", "from-the-folder\n");
  // Only references of the file are looked up there.
  write("store/secrets/GATEWAY_ADMIN_KEY", "not-the-admin-key-0123");

  const stored = load({ STORE: "store" });
  const preferred = load({ STORE: "store", PROVIDER_KEY: "from-the-environment" });

  expect(stored.upstreams.get("one")).toMatchObject({ settings: { apiKey: "from-the-folder" } });
  expect(stored.secrets).toContain("from-the-folder");
  expect(stored.adminKeySha256).toBeUndefined();
  expect(preferred.upstreams.get("one")).toMatchObject({ settings: { apiKey: "from-the-environment" } });
});

test("DATA_DIR moves the folder of secrets, and a reference cannot leave it", () => {
  mkdirSync(join(folder, "elsewhere", "secrets"), { recursive: true });
  write("outside", "outside-the-folder");
  write("elsewhere/secrets/PROVIDER_KEY", "elsewhere\n");
  write("gateway.yaml", config.replace("CALLER_KEY", "../../outside"));

  const faults = faultsOf({ DATA_DIR: join(folder, "elsewhere") });

  expect(faults).toEqual([expect.stringContaining("../../outside is not set")]);
});
