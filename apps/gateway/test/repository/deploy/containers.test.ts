import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { isInRange, parseAddress, parseRange } from "@model-gateway/domain/ip-address";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { pairsOf, readDockerfile } from "./dockerfile.js";
import { loadDeployed, unknownVariables } from "./environment.js";

/** The checks of a container engine, as far as possible without one. */
const gateway = join(import.meta.dirname, "../../..");
const root = join(gateway, "../..");
const deploy = join(gateway, "deploy");
const read = (path: string) => readFileSync(join(gateway, path), "utf8");

const config = read("deploy/gateway.yaml");
const lines = readDockerfile();
const lastStage = lines.slice(lines.findLastIndex(({ name }) => name === "FROM"));
const instruction = (name: string) => lastStage.find((line) => line.name === name)?.text;

test("the Dockerfile has only instructions that exist, and copies only from its stages", () => {
  const known = /^(FROM|ARG|ENV|WORKDIR|COPY|RUN|USER|VOLUME|EXPOSE|HEALTHCHECK|ENTRYPOINT)$/;
  const stages = lines.flatMap(({ name, text }) => (name === "FROM" ? [/ AS (\w+)$/.exec(text)?.[1]] : []));
  const sources = lines.flatMap(({ text }) => /--from=(\w+)/.exec(text)?.[1] ?? []);

  expect(lines.filter(({ name }) => !known.test(name))).toEqual([]);
  expect(sources.filter((source) => !stages.includes(source))).toEqual([]);
  expect(existsSync(join(gateway, "pack.mjs"))).toBe(true);
});

test("the image runs as a user without rights, without a shell, and writes to its volume alone", () => {
  const environment = pairsOf(instruction("ENV") ?? "");

  expect(instruction("USER")).toBe("node");
  expect(environment.DATA_DIR).toBe(instruction("VOLUME"));
  expect(environment.PORT).toBe(instruction("EXPOSE"));
  expect(unknownVariables(Object.keys(environment), config)).toEqual([]);
  const { bin, name } = JSON.parse(read("package.json"));
  expect(JSON.parse(instruction("ENTRYPOINT") ?? "")).toEqual([
    "node",
    `/app/node_modules/${name}/${bin["model-gateway"]}`,
  ]);
});

test("the check of the image's health is a program that runs", () => {
  const [, command = "[]"] = /CMD (\[.*\])$/.exec(instruction("HEALTHCHECK") ?? "") ?? [];
  const [program, ...args]: string[] = JSON.parse(command);

  expect(program).toBe("node");
  // Nothing listens there, so the program says that the container is not healthy.
  expect(() => execFileSync(process.execPath, args, { env: { PORT: "9" }, stdio: "ignore" })).toThrow();
});

const service = z.strictObject({
  build: z.strictObject({ context: z.string(), dockerfile: z.string() }).optional(),
  image: z.string().regex(/^[a-z][\w./-]*(:[\w.-]+)?$/),
  restart: z.enum(["unless-stopped"]),
  read_only: z.boolean().optional(),
  group_add: z.array(z.string()).optional(),
  tmpfs: z.array(z.string()).optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  stop_grace_period: z
    .string()
    .regex(/^\d+s$/)
    .optional(),
  environment: z.record(z.string(), z.string()).optional(),
  secrets: z.array(z.string()).optional(),
  volumes: z.array(z.string()).optional(),
  ports: z.array(z.string().regex(/^\d+:\d+$/)).optional(),
  networks: z.strictObject({ default: z.strictObject({ ipv4_address: z.ipv4() }) }).optional(),
  command: z.array(z.string()).optional(),
  healthcheck: z
    .strictObject({ test: z.array(z.string()), interval: z.string(), retries: z.int() })
    .optional(),
  depends_on: z.record(z.string(), z.strictObject({ condition: z.literal("service_healthy") })).optional(),
});
const composeSchema = z.strictObject({
  name: z.string(),
  "x-gateway": z.unknown(),
  services: z.record(z.string(), service),
  networks: z.strictObject({
    default: z.strictObject({
      ipam: z.strictObject({
        config: z.tuple([z.strictObject({ subnet: z.cidrv4(), ip_range: z.cidrv4() })]),
      }),
    }),
  }),
  volumes: z.record(z.string(), z.null()),
  secrets: z.record(z.string(), z.strictObject({ file: z.string() })),
});
const compose = composeSchema.parse(parse(read("deploy/compose.yaml"), { merge: true }));
const services = Object.entries(compose.services);
const replicas = services.filter(([, { image }]) => image === "model-gateway").map(([, replica]) => replica);

test("everything that a service of the Compose file names is there", () => {
  for (const [, { secrets = [], volumes = [], depends_on = {}, build }] of services) {
    expect(Object.keys(compose.secrets)).toEqual(expect.arrayContaining(secrets));
    expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(Object.keys(depends_on)));
    for (const [source = ""] of volumes.map((volume) => volume.split(":")))
      if (source.startsWith("./")) expect(existsSync(join(deploy, source))).toBe(true);
      else expect(Object.keys(compose.volumes)).toContain(source);
    if (build !== undefined) expect(existsSync(resolve(deploy, build.context, build.dockerfile))).toBe(true);
  }
});

test("two replicas share the database and Redis, and no data folder", () => {
  const data = replicas.map(({ volumes = [] }) => volumes.find((volume) => volume.endsWith(":/data")));
  const graceMs = replicas.map(
    ({ stop_grace_period = "0s" }) => Number.parseInt(stop_grace_period, 10) * 1000,
  );

  expect(new Set(data).size).toBe(2);
  for (const { environment = {}, secrets = [], read_only } of replicas) {
    expect(read_only).toBe(true);
    expect(Object.keys(environment)).toEqual(expect.arrayContaining(["DATABASE_URL_FILE", "REDIS_URL"]));
    expect(unknownVariables(Object.keys(environment), config)).toEqual([]);
    const files = Object.values(environment).filter((value) => value.startsWith("/run/secrets/"));
    expect(files.map((file) => file.replace("/run/secrets/", ""))).toEqual(secrets);
  }
  expect(Math.min(...graceMs)).toBeGreaterThan(loadDeployed(config).limits.stopMs);
});

test("the script creates the secrets that the Compose file names, once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "compose-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await cp(join(deploy, "create-secrets.sh"), join(folder, "create-secrets.sh"));
  const run = () => execFileSync("sh", ["create-secrets.sh"], { cwd: folder, encoding: "utf8" });

  const output = run();
  const files = Object.values(compose.secrets).map(({ file }) => join(folder, file));
  const texts = files.map((file) => readFileSync(file, "utf8"));
  run();

  expect(readdirSync(join(folder, "secrets"))).toHaveLength(files.length);
  expect(files.map((file) => readFileSync(file, "utf8"))).toEqual(texts);
  expect(new Set(texts).size).toBe(files.length);
  expect(texts.filter((text) => text.length < 32)).toEqual([]);
  // The owner, and the group that the containers get. Nobody else on the machine.
  const created = [join(folder, "secrets"), ...files].map((path) => statSync(path));
  expect(created.map(({ mode }) => (mode & 0o777).toString(8))).toEqual(["750", ...files.map(() => "640")]);
  expect(new Set(created.map(({ gid }) => gid))).toEqual(new Set([process.getgid?.()]));
  expect(readFileSync(join(folder, ".env"), "utf8")).toBe(`SECRETS_GROUP=${process.getgid?.()}\n`);
  expect(output).toMatch(/^Only you and the group \S+ can read them/m);
  expect(replicas.map(({ group_add: [group = ""] = [] }) => group)).toEqual([
    expect.stringMatching(/^\$\{SECRETS_GROUP:\?/),
    expect.stringMatching(/^\$\{SECRETS_GROUP:\?/),
  ]);
});

test("the proxy knows every replica, and the files that Docker leaves out are not needed", () => {
  const proxy = read("deploy/nginx.conf");
  const named = services.filter(([, { image }]) => image === "model-gateway").map(([name]) => `${name}:8080`);

  expect([...proxy.matchAll(/server (gateway-\S+)/g)].map(([, server]) => server)).toEqual(named);
  expect(statSync(join(gateway, "Dockerfile.dockerignore")).isFile()).toBe(true);
  expect(existsSync(join(root, "package.json"))).toBe(true);
});

test("the replicas trust the proxy, which replaces the address that a client claims", () => {
  const address = compose.services.proxy?.networks?.default.ipv4_address ?? "";
  const [{ subnet, ip_range }] = compose.networks.default.ipam.config;

  expect(replicas.map(({ environment = {} }) => environment.TRUSTED_PROXIES)).toEqual([address, address]);
  expect(isInRange(parseAddress(address)!, parseRange(subnet)!)).toBe(true);
  // Docker assigns the others, and would assign the proxy's.
  expect(isInRange(parseAddress(address)!, parseRange(ip_range)!)).toBe(false);
  expect(read("deploy/nginx.conf")).toContain("proxy_set_header X-Forwarded-For $remote_addr;");
});

test("the unit of systemd starts the command, gives it a folder, and waits for its stop", () => {
  const unit = read("deploy/model-gateway.service");
  const setting = (name: string) =>
    [...unit.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value = ""]) => value);
  const variables = setting("Environment").map((pair) => pair.split("=")[0] ?? "");

  expect(setting("ExecStart")).toEqual([
    "/usr/bin/node /opt/model-gateway/node_modules/@model-gateway/gateway/bin.mjs",
  ]);
  expect(unknownVariables(variables, config)).toEqual([]);
  expect(setting("Environment")).toContain("TRUSTED_PROXIES=127.0.0.1,::1");
  expect(setting("Environment")).toContain(`DATA_DIR=/var/lib/${setting("StateDirectory")[0]}`);
  expect(Number(setting("TimeoutStopSec")[0]) * 1000).toBeGreaterThan(loadDeployed(config).limits.stopMs);
});

test.each([
  ["deploy/compose.yaml", /^ {4}ON_STALL: exit$/m],
  ["deploy/model-gateway.service", /^Environment=ON_STALL=exit$/m],
  ["deploy/kubernetes/deployment.yaml", /\{ name: ON_STALL, value: exit \}/],
])("%s restarts a gateway whose event loop is blocked", (file, setting) => {
  expect(read(file)).toMatch(setting);
});

test.each([
  "Dockerfile",
  "deploy/model-gateway.service",
  // So that the soak measures what is deployed.
  "bench/rivals/gateway.ts",
])("%s gives the memory of large requests back to the system", (file) => {
  expect(read(file)).toMatch(/\bMALLOC_MMAP_THRESHOLD_(=|: ")1048576\b/);
});
