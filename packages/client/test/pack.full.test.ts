import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { exampleCalls } from "./example-calls.js";
import { secrets, serveFakeGateway } from "./fake-gateway.js";
import { createPackedProject, listMisuses, type PackedProject } from "./packed-project.js";
import { serve } from "./serve.js";
import { typeCheck } from "./type-check.js";

describe("the packed client in an empty project", () => {
  let project: PackedProject;
  beforeAll(async () => {
    project = await createPackedProject();
  });
  afterAll(() => project.remove());

  test("contains the built files and the README, and imports no unpublished package", async () => {
    const files = (await readdir(project.clientFolder, { recursive: true })).filter((file) =>
      file.includes("."),
    );
    const sources = files.filter((file) => /\.(js|d\.c?ts)$/.test(file));
    const texts = await Promise.all(
      sources.map((file) => readFile(join(project.clientFolder, file), "utf8")),
    );

    expect(files.filter((file) => !sources.includes(file)).sort()).toEqual(["README.md", "package.json"]);
    expect(files.filter((file) => file.includes(".test."))).toEqual([]);
    expect(texts.filter((text) => /@model-gateway\/spec|"node:/.test(text))).toEqual([]);
  });

  test("installs its dependencies and nothing else", async () => {
    const installed = await readdir(join(project.folder, "node_modules"));

    expect(installed.filter((name) => !name.startsWith(".")).sort()).toEqual([
      "@model-gateway",
      "openapi-fetch",
      "openapi-typescript-helpers",
    ]);
  });

  test.each([
    { name: "with Node's types", options: {} },
    {
      name: "with a browser's types",
      options: { lib: ["es2023", "dom"], types: [] },
      undeclared: "'process'",
    },
  ])("a program that uses every operation compiles $name", async ({ options, undeclared }) => {
    await project.configure(["every-operation.ts", "program.ts"], { ...options, noEmit: true });

    const errors = await typeCheck(project.folder);

    expect(errors.filter(({ text }) => !undeclared || !text.includes(undeclared))).toEqual([]);
  });

  test("a program that uses every operation runs", async () => {
    await project.configure("every-operation.ts");
    await typeCheck(project.folder);
    const url = await serve(serveFakeGateway);

    const report = JSON.parse(
      await project.run("every-operation.js", {
        GATEWAY_URL: url,
        GATEWAY_KEY: secrets.apiKey,
        GATEWAY_ADMIN_KEY: secrets.adminKey,
      }),
    );

    expect(report).toEqual(Object.fromEntries(exampleCalls.map(({ name, result }) => [name, result])));
  });

  test("a CommonJS program can require it", async () => {
    const url = await serve(serveFakeGateway);

    const printed = await project.run("commonjs.cjs", { GATEWAY_URL: url, GATEWAY_KEY: "key" });

    expect(printed).toBe("gte-small\n");
  });

  test("a CommonJS program has its types", async () => {
    await project.configure("commonjs-types.cts", { noEmit: true });

    expect(await typeCheck(project.folder)).toEqual([]);
  });

  test("TypeScript 5.4 compiles both kinds of programs", async () => {
    const files = ["every-operation.ts", "program.ts", "commonjs-types.cts"];
    await project.configure(files, { noEmit: true, target: "es2022" });

    expect(await typeCheck(project.folder, "typescript-5.4")).toEqual([]);
  });

  test("a program of the resolution called node10 compiles and runs", async () => {
    const resolution = { module: "commonjs", moduleResolution: "node10" };
    await project.configure("node10.ts", {
      ...resolution,
      target: "es2022",
      skipLibCheck: true,
      outDir: "node10",
    });
    await writeFile(join(project.folder, "package.json"), "{}");
    onTestFinished(() => writeFile(join(project.folder, "package.json"), '{"type":"module"}'));
    const url = await serve(serveFakeGateway);

    expect(await typeCheck(project.folder, "typescript-5.4")).toEqual([]);
    const printed = await project.run("node10/node10.js", { GATEWAY_URL: url, GATEWAY_KEY: "key" });

    expect(printed).toBe("gte-small\n");
  });

  test("a CommonJS program has every value of the module", async () => {
    const types = await readFile(join(project.clientFolder, "dist/commonjs.d.cts"), "utf8");
    const declared = [...types.matchAll(/export declare const (\w+)/g)].map(([, name]) => name);

    expect(declared.sort()).toEqual(Object.keys(await import("../src/index.js")).sort());
  });

  test("each misuse is an error on its own line, and nothing else is", async () => {
    await project.configure("misuses.ts", { noEmit: true });

    const errors = await typeCheck(project.folder);

    const want = (await listMisuses()).map((line) => `misuses.ts:${line}`);
    expect(want.length).toBeGreaterThan(6);
    expect([...new Set(errors.map(({ at }) => at))]).toEqual(want);
  });
});
