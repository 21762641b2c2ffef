import type { IncomingMessage, ServerResponse } from "node:http";
import { answer, readBody } from "./serve.js";

/** The least that a gateway would answer, so that a program can run without one. */
export async function answerEveryOperation(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = (await readBody(request)).toString("latin1");
  const path = request.url ?? "";
  if (path === "/healthz") return answer(response, 200, { status: "ok" });
  if (path === "/readyz") return answer(response, 200, { status: "ready", models: { total: 1, ready: 1 } });
  if (path === link) {
    // A link is for anyone; a key that goes along with it has been given away.
    if (request.headers.authorization !== undefined) return refuse(response, 400, "invalid_value");
    response.writeHead(200, { "content-type": "image/png", "x-request-id": "req_1" });
    return void response.end(Buffer.from(png, "base64"));
  }
  if (request.headers.authorization !== "Bearer key") return refuse(response, 401, "invalid_api_key");
  if (path.includes("no%2Fsuch") || body.includes("no-such-model"))
    return refuse(response, 404, "model_not_found");
  if (path === "/v1/models") return answer(response, 200, { object: "list", data: [{ id: "gte-small" }] });
  if (path === "/v1/models/gte-small") return answer(response, 200, { id: "gte-small" });
  if (path.endsWith("/embeddings")) {
    const data = body.includes("base64")
      ? [{ embedding: base64 }, { embedding: base64 }]
      : [{ embedding: [1, 2, 3] }];
    return answer(response, 200, { object: "list", data });
  }
  if (isStream(body)) return stream(response, path === "/v1/images/edits" ? editedEvents : drawnEvents);
  const url = `http://${request.headers.host}${link}`;
  return answer(response, 200, { created: 1, data: [body.includes('"url"') ? { url } : { b64_json: png }] });
}

const base64 = "zczMPc3MTL6amZk+";
const png = "iVBORw0KGgo=";
const link = "/v1/images/files/6f1f3530a1a2324b19752018ce756088.png?expires=1787153686&signature=8sWp3r9Z";
const drawnEvents = ["image_generation.partial_image", "image_generation.completed"];
const editedEvents = ["image_edit.completed"];

function isStream(body: string): boolean {
  return body.includes('"stream":true') || body.includes('name="stream"');
}

function stream(response: ServerResponse, types: string[]): void {
  response.writeHead(200, { "content-type": "text/event-stream", "x-request-id": "req_1" });
  const events = types.map((type) => `event: ${type}\ndata: ${JSON.stringify({ type, b64_json: png })}\n\n`);
  response.end(events.join(""));
}

function refuse(response: ServerResponse, status: number, code: string): void {
  const error = { message: "No such model.", type: "invalid_request_error", param: null, code };
  answer(response, status, { error });
}
