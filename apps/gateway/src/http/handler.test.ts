import { expect, test } from "vitest";
import type { Handlers } from "./handler.js";
import { createHandlers } from "./operations/handlers.js";
import { operationsOf, readSpec } from "./request/spec.js";

test("every operation of the spec has a handler, and the compiler says so first", () => {
  const handlers = createHandlers({ images: {} } as Parameters<typeof createHandlers>[0]);
  const { listModels: _left, ...incomplete } = handlers;
  // @ts-expect-error A table without one of the operations does not compile.
  const refused: Handlers = incomplete;

  expect(refused).not.toHaveProperty("listModels");
  expect(Object.keys(handlers).sort()).toEqual(
    operationsOf(readSpec())
      .map(({ id }) => id)
      .sort(),
  );
});
