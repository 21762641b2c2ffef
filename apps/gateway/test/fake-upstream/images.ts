import type { ServerResponse } from "node:http";
import { type ReceivedRequest, refuse } from "./fake-upstream.js";

/** The smallest PNG there is: one transparent pixel. */
export const tinyPng = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const usage = {
  input_tokens: 10,
  input_tokens_details: { text_tokens: 10, image_tokens: 0 },
  output_tokens: 100,
  output_tokens_details: { text_tokens: 0, image_tokens: 100 },
  total_tokens: 110,
};

/** Answers as gpt-image models do, and refuses what they refuse; models named `dalle...` answer as those did. */
export function answerImages(request: ReceivedRequest, response: ServerResponse): void {
  const { model, n, stream, response_format } = request.body;
  const isDalle = String(model).startsWith("dalle");
  const problem = strictProblem(request, isDalle);
  if (problem !== undefined) return refuse(response, 400, problem);
  if (model === "moderated") {
    return refuse(response, 400, {
      message: "Rejected by the safety system.",
      type: "image_generation_user_error",
      code: "moderation_blocked",
    });
  }
  if (String(stream) === "true") return answerStream(request, response);

  const b64_json = tinyPng.toString("base64");
  const picture =
    isDalle && response_format !== "b64_json" ? { url: "https://images.example/a.png" } : { b64_json };
  const data =
    model === "no-pictures" ? [] : model === "empty-picture" ? [{}] : Array(Number(n ?? 1)).fill(picture);
  const described = isDalle
    ? {}
    : { background: "opaque", output_format: "png", quality: "high", size: "1024x1024", usage };
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ created: 1787150086, data, ...described }));
}

/** What the real API answers 400 to. */
function strictProblem(request: ReceivedRequest, isDalle: boolean): object | undefined {
  const refused = isDalle
    ? ["output_format", "background", "stream", "moderation"]
    : ["response_format", "style"];
  const unknown = refused.find((name) => name in request.body);
  if (unknown !== undefined)
    return { message: `Unknown parameter: '${unknown}'.`, code: "unknown_parameter", param: unknown };
  const files = request.parts.filter((part) => part.filename !== undefined);
  if (files.filter((part) => part.name === "image").length > 1)
    return { message: "Duplicate parameter: 'image'.", param: "image" };
  const wrong = files.find((part) => part.type === undefined || !/^image\/(png|jpeg|webp)$/.test(part.type));
  if (wrong !== undefined)
    return {
      message: `unsupported mimetype ('${wrong.type}')`,
      code: "unsupported_file_mimetype",
      param: wrong.name,
    };
  return undefined;
}

function answerStream(request: ReceivedRequest, response: ServerResponse): void {
  const verb = request.path === "/v1/images/edits" ? "image_edit" : "image_generation";
  const common = {
    b64_json: tinyPng.toString("base64"),
    created_at: 1787150086,
    size: "1024x1024",
    quality: "high",
    background: "opaque",
    output_format: "png",
  };
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (event: { type: string }) =>
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  for (let index = 0; index < Number(request.body.partial_images ?? 0); index += 1) {
    send({ type: `${verb}.partial_image`, ...common, ...{ partial_image_index: index } });
  }
  if (request.body.model === "stream-error") {
    response.end(
      `event: error\ndata: ${JSON.stringify({ type: "error", error: { message: "Blocked.", code: "moderation_blocked", param: null } })}\n\n`,
    );
    return;
  }
  if (request.body.model === "stream-stall") return;
  send({ type: `${verb}.completed`, ...common, ...{ usage } });
  response.end();
}
