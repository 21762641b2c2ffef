import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createResolver } from "./request-document.js";

const document = JSON.parse(readFileSync(new URL("generated/openapi.json", import.meta.url), "utf8"));
const resolve = createResolver(document.components);
const methods = ["get", "post", "patch", "delete"];

test("the example of every 405 names the methods of its path, and so does its header", () => {
  const said = Object.entries<Record<string, { responses: Record<string, unknown> }>>(document.paths).flatMap(
    ([path, item]) => {
      const allowed = methods.filter((method) => method in item).map((method) => method.toUpperCase());
      return allowed.flatMap((method) => {
        const response = item[method.toLowerCase()]?.responses["405"];
        if (response === undefined) return [];
        const { headers, content } = JSON.parse(JSON.stringify(resolve(response)));
        const { example, examples } = content["application/json"];
        const text = JSON.stringify(example ?? examples.error.value);
        const names = /use ([A-Z ]+?(?: or [A-Z]+)*)\./.exec(text)?.[1]?.split(" or ");
        const allow = headers.allow.schema.examples[0].split(", ").filter((one: string) => one !== "HEAD");
        return [{ path, method, names, allow, allowed }];
      });
    },
  );

  expect(said.length).toBeGreaterThan(60);
  expect(said.filter(({ names, allowed }) => names?.join() !== allowed.join())).toEqual([]);
  expect(said.filter(({ allow, allowed }) => allow.join() !== allowed.join())).toEqual([]);
});

test("nothing is left that all paths shared", () => {
  const { responses, examples, headers } = document.components;

  expect(Object.keys({ ...responses, ...examples, ...headers })).not.toContain("Allow");
  expect(JSON.stringify(document)).not.toContain("{allowed}");
});
