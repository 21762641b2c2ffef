import { GatewayError } from "@model-gateway/domain/errors";
import { expect, test } from "vitest";
import { encodeCursor, readCursor, writeCursor } from "./cursor.js";

test("a cursor is read as it was written", () => {
  const position = { at: 1_787_150_086_123, id: "req_1" };

  expect(readCursor(writeCursor(position))).toEqual(position);
});

test.each([
  "",
  "x",
  "bm90IGpzb24",
  encodeCursor([1]),
  encodeCursor([1, "a", 2]),
  encodeCursor(["1", "a"]),
  Buffer.from('[1,"a" ]').toString("base64url"),
  Buffer.from('[1,"\\u0000"]').toString("base64url"),
  Buffer.from('[1e300,"a"]').toString("base64url"),
  Buffer.from('{"at":1,"id":"a"}').toString("base64url"),
])("a forged cursor is refused: %j", (cursor) => {
  expect(() => readCursor(cursor)).toThrow(
    new GatewayError(
      "invalid_value",
      "Invalid cursor. Pass a `next_cursor` value returned by this endpoint.",
      { param: "cursor" },
    ),
  );
});
