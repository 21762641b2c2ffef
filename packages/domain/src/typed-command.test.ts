import { expect, test } from "vitest";
import { typedCommand } from "./typed-command.js";

const installed = "file:///srv/node_modules/@model-gateway/gateway/dist/main.js";
const node = "/usr/bin/node";

test.each([
  ["npm start in a clone", "/r/apps/gateway/start.mjs", npm("start", "model-gateway"), "npm start -- link"],
  [
    "npm run dev in a clone",
    "/r/apps/gateway/.dev/main.js",
    npm("dev", "model-gateway"),
    "npm start -- link",
  ],
  ["npx", "/c/_npx/1/node_modules/.bin/model-gateway", npm("npx"), "npx @model-gateway/gateway link"],
  [
    "a script of another package",
    "/w/node_modules/.bin/model-gateway",
    npm("start", "mine"),
    "npx @model-gateway/gateway link",
  ],
  ["a binary in PATH", "/usr/bin/model-gateway", { PATH: "/bin:/usr/bin" }, "model-gateway link"],
  [
    "a binary elsewhere",
    "/w/node_modules/.bin/model-gateway",
    { PATH: "/bin" },
    "node /w/node_modules/.bin/model-gateway link",
  ],
  [
    "node",
    "/app/node_modules/@model-gateway/gateway/bin.mjs",
    {},
    "node /app/node_modules/@model-gateway/gateway/bin.mjs link",
  ],
  ["a path with a space", "/my app/main.js", {}, "node '/my app/main.js' link"],
  ["a program that contains the gateway", "/w/vitest.mjs", {}, "npx @model-gateway/gateway link"],
])("after %s, a hint begins in the same way", (_start, file, env, command) => {
  expect(typedCommand("link", { argv: [node, file], env, code: installed })).toBe(command);
});

test("npx names the package without local models where that runs", () => {
  const code = "file:///c/_npx/1/node_modules/@model-gateway/gateway-slim/dist/serve.cjs";

  expect(typedCommand("link", { argv: [node, "/c/model-gateway"], env: npm("npx"), code })).toBe(
    "npx @model-gateway/gateway-slim link",
  );
});

test("without a command, it is the program alone", () => {
  expect(typedCommand("", { argv: [node, "/main.js"], env: {}, code: installed })).toBe("node /main.js");
});

function npm(script: string, name?: string): Record<string, string | undefined> {
  return { npm_lifecycle_event: script, npm_package_name: name, PATH: "/c/_npx/1/node_modules/.bin" };
}
