import { expect, test } from "vitest";
import { type ImageEvent, imageEventTypes, readImageEvents } from "./image-events.js";

const partial = { type: "image_generation.partial_image", b64_json: "AA==", partial_image_index: 0 };
const completed = { type: "image_generation.completed", b64_json: "AAA=" };

test("pictures are yielded in order until the end", async () => {
  const { events, error } = await read([line(partial), line(completed), line(completed)]);

  expect(error).toBeUndefined();
  expect(events).toEqual([partial, completed, completed]);
});

test("what follows [DONE] is not read", async () => {
  const { events, error } = await read([line(completed), "data: [DONE]\n\n", "data: not JSON\n\n"]);

  expect(error).toBeUndefined();
  expect(events).toEqual([completed]);
});

test("an event of a type that is not known is passed over", async () => {
  const { events } = await read([line({ type: "image_generation.queued" }), line(completed)]);

  expect(events).toEqual([completed]);
});

test("an error event is thrown after the pictures before it", async () => {
  const fault = {
    message: "Blocked.",
    type: "image_generation_user_error",
    param: null,
    code: "moderation_blocked",
  };

  const { events, error } = await read([
    line(partial),
    `event: error\n${line({ type: "error", error: fault })}`,
  ]);

  expect(events).toEqual([partial]);
  expect(error).toMatchObject({ name: "GatewayRequestError", ...fault, status: 200, requestId: "req_1" });
});

test("an error event in another shape is thrown too", async () => {
  const { error } = await read(["event: error\ndata: overloaded\n\n"]);

  expect(error).toMatchObject({ name: "GatewayRequestError", code: "unexpected_answer" });
});

test.each([
  { name: "that is not JSON", chunk: "data: {\n\n" },
  { name: "that is not an object", chunk: "data: 1\n\n" },
  { name: "without a picture", chunk: line({ type: "image_generation.completed" }) },
])("an event $name is thrown", async ({ chunk }) => {
  const { error } = await read([chunk]);

  expect(error).toMatchObject({ name: "GatewayRequestError", code: "unexpected_answer" });
});

test("a stream that ends before a picture is finished is an error", async () => {
  const { events, error } = await read([line(partial)]);

  expect(events).toEqual([partial]);
  expect(error).toMatchObject({ name: "GatewayRequestError", code: "stream_incomplete" });
});

test("an event beyond the limit is an error that gives the limit", async () => {
  const { error } = await read([line(completed)], 20);

  expect(error).toMatchObject({
    code: "event_too_large",
    message: "An event of the stream is larger than 20 bytes.",
  });
});

function line(payload: unknown): string {
  return `data: ${JSON.stringify(payload)}\n\n`;
}

async function read(chunks: string[], eventBytesMax?: number) {
  const response = new Response(chunks.join(""), { headers: { "x-request-id": "req_1" } });
  const events: ImageEvent[] = [];
  try {
    for await (const event of readImageEvents(response, imageEventTypes, eventBytesMax)) events.push(event);
  } catch (error) {
    return { events, error };
  }
  return { events, error: undefined };
}
