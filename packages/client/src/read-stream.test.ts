import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { answer, readBody, readForm, serve } from "../test/serve.js";
import { createClient } from "./create-client.js";
import { unwrap } from "./unwrap.js";

const partial = { type: "image_generation.partial_image", b64_json: "AA==", partial_image_index: 0 };
const completed = { type: "image_generation.completed", b64_json: "AAA=" };
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
  const baseUrl = await serve((_, response) => answer(response, 400, { error }));

  const result = await createClient({ baseUrl }).createImageStream(body);

  expect(result).toMatchObject({ ok: false, status: 400, error });
});

test("an answer that is no stream is a failure", async () => {
  const baseUrl = await serve((_, response) => answer(response, 200, { created: 1, data: [] }));

  const result = await createClient({ baseUrl }).createImageStream(body);

  expect(result).toMatchObject({ ok: false, status: 200, error: { code: "unexpected_answer" } });
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
