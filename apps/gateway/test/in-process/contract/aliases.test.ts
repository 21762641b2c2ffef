import { expect, test } from "vitest";
import { operationsOf, readSpec } from "../../../src/execution/validation/spec.js";
import { checkResponse } from "./check-response.js";
import { contractGateway } from "./gateway.js";

const context = contractGateway("embedding");
const aliases = operationsOf(readSpec()).flatMap((operation) =>
  operation.aliases.map((alias) => ({ ...operation, alias })),
);
/** A model id may have a slash, which some clients do not encode. */
const filled = (path: string) => path.replace(":model", "org/m").replaceAll(/:\w+/g, "any");

test.each(aliases)("$method $alias is the operation $id", async ({ id, method, path, alias }) => {
  const send = (to: string, given = method) => context.gateway.send(to, { method: given.toUpperCase() });

  const [original, aliased] = [await send(path.replaceAll(/:\w+/g, "any")), await send(filled(alias))];
  const versioned = await send(`${filled(alias)}?api-version=2024-10-21`);

  expect(original.status).not.toBe(405);
  expect([aliased.status, versioned.status]).toEqual([original.status, original.status]);
  const body = await checkResponse(id, original);
  expect(await checkResponse(id, aliased)).toEqual(body);
  expect(await checkResponse(id, versioned)).toEqual(body);
});

test.each(aliases)("$alias refuses other methods", async ({ alias }) => {
  const response = await context.gateway.send(filled(alias), { method: "PUT" });

  expect(response.status).toBe(405);
});
