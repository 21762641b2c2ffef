import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { readBody, readForm, respond, serve } from "../../test/serve.js";
import { createClient } from "../create-client.js";
import { clientMethods } from "../spec.js";
import { readEvents } from "./event-stream.js";
import { unwrap } from "./result.js";

const partial = { type: "image_generation.partial_image", b64_json: "AA==", partial_image_index: 0 };
const completed = { type: "image_generation.completed", b64_json: "AAA=" };

test("images are yielded in order until the end", async () => {
  const { events, error } = await read([line(partial), line(completed), line(completed)]);

  expect(error).toBeUndefined();
  expect(events).toEqual([partial, completed, completed]);
});

test("nothing is read after [DONE]", async () => {
  const { events, error } = await read([line(completed), "data: [DONE]\n\n", "data: not JSON\n\n"]);

  expect(error).toBeUndefined();
  expect(events).toEqual([completed]);
});

test("an event of an unknown type is skipped", async () => {
  const { events } = await read([line({ type: "image_generation.queued" }), line(completed)]);

  expect(events).toEqual([completed]);
});

test("an error event is thrown after the images before it", async () => {
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

test("an error event in another shape is thrown", async () => {
  const { error } = await read(["event: error\ndata: overloaded\n\n"]);

  expect(error).toMatchObject({ name: "GatewayRequestError", code: "unexpected_response" });
});

test.each([
  { name: "that is not JSON", chunk: "data: {\n\n" },
  { name: "that is not an object", chunk: "data: 1\n\n" },
  { name: "without an image", chunk: line({ type: "image_generation.completed" }) },
])("an event $name is thrown", async ({ chunk }) => {
  const { error } = await read([chunk]);

  expect(error).toMatchObject({ name: "GatewayRequestError", code: "unexpected_response" });
});

test("a stream that ends before an image is finished is an error", async () => {
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
  const events: unknown[] = [];
  try {
    for await (const event of readEvents(response, clientMethods.createImageStream, eventBytesMax))
      events.push(event);
  } catch (error) {
    return { events, error };
  }
  return { events, error: undefined };
}

const edited = { type: "image_edit.completed", b64_json: "AAA=" };
const body = { model: "m", prompt: "a fox" };

test("createImageStream asks for a stream and yields its events", async () => {
  let asked = "";
  const baseUrl = await serve(async (request, response) => {
    asked = (await readBody(request)).toString();
    begin(response).end(`: ping\n\n${eventOf(partial)}${eventOf(completed)}`);
  });

  const result = await createClient({ baseUrl }).createImageStream({ ...body, partial_images: 1 });

  expect(result).toMatchObject({ ok: true, requestId: "req_1" });
  expect(await collect(unwrap(result))).toEqual([partial, completed]);
  expect(JSON.parse(asked)).toEqual({ ...body, partial_images: 1, stream: true });
});

test("createImageEditStream asks for a stream in the form and yields its events", async () => {
  let asked: unknown;
  const baseUrl = await serve(async (request, response) => {
    asked = (await readForm(request)).get("stream");
    begin(response).end(eventOf(edited));
  });

  const result = await createClient({ baseUrl }).createImageEditStream({ ...body, image: Buffer.from("x") });

  expect(await collect(unwrap(result))).toEqual([edited]);
  expect(asked).toBe("true");
});

test("an error before the first event is a value", async () => {
  const error = { message: "No.", type: "invalid_request_error", param: "size", code: "invalid_value" };
  const baseUrl = await serve((_, response) => respond(response, 400, { error }));

  const result = await createClient({ baseUrl }).createImageStream(body);

  expect(result).toMatchObject({ ok: false, status: 400, error });
});

test("a response that is not a stream is a failure", async () => {
  const baseUrl = await serve((_, response) => respond(response, 200, { created: 1, data: [] }));

  const result = await createClient({ baseUrl }).createImageStream(body);

  expect(result).toMatchObject({ ok: false, status: 200, error: { code: "unexpected_response" } });
});

test("a second loop over one stream is refused", async () => {
  const baseUrl = await serve((_, response) => begin(response).end(eventOf(completed)));
  const events = unwrap(await createClient({ baseUrl }).createImageStream(body));
  await collect(events);

  await expect(collect(events)).rejects.toThrow(TypeError);
});

test("leaving the loop ends the request", async () => {
  let closed: Promise<unknown> | undefined;
  const baseUrl = await serve((_, response) => {
    closed = once(response, "close");
    begin(response).write(eventOf(partial));
  });
  const events = unwrap(await createClient({ baseUrl }).createImageStream(body));

  for await (const _ of events) break;

  await closed;
});

test("an abort ends the loop with the reason of the signal", async () => {
  const baseUrl = await serve((_, response) => begin(response).write(eventOf(partial)));
  const controller = new AbortController();
  const reason = new Error("left");
  const events = unwrap(
    await createClient({ baseUrl }).createImageStream(body, { signal: controller.signal }),
  );

  const loop = async () => {
    for await (const _ of events) controller.abort(reason);
  };

  await expect(loop()).rejects.toBe(reason);
});

test("a connection that breaks ends the loop with an error", async () => {
  const baseUrl = await serve((_, response) => {
    begin(response).write(eventOf(completed), () => response.destroy());
  });
  const events = unwrap(await createClient({ baseUrl }).createImageStream(body));

  await expect(collect(events)).rejects.toThrow(TypeError);
});

test("the limit of an event can be set for a call, and ends the request", async () => {
  let closed: Promise<unknown> | undefined;
  const baseUrl = await serve((_, response) => {
    closed = once(response, "close");
    begin(response).write(`data: ${"x".repeat(100)}`);
  });
  const events = unwrap(await createClient({ baseUrl }).createImageStream(body, { eventBytesMax: 50 }));

  await expect(collect(events)).rejects.toMatchObject({ code: "event_too_large" });
  await closed;
});

function begin(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { "content-type": "text/event-stream", "x-request-id": "req_1" });
}

function eventOf(payload: { type: string }): string {
  return `event: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`;
}

async function collect<Event>(events: AsyncIterable<Event>): Promise<Event[]> {
  const all: Event[] = [];
  for await (const event of events) all.push(event);
  return all;
}
