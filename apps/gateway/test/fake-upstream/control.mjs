/** @import { IncomingMessage, ServerResponse } from "node:http" */
/** @import { Script, Seen } from "./script.js" */
import { checkScript } from "./check-script.mjs";
import { readRequest } from "./read-request.mjs";

/**
 * `POST /__control` takes a script. `GET /__seen` returns the received requests.
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 * @param {{ follow: (script: Script) => void, seen: () => Seen }} upstream
 */
export function serveControl(request, response, { follow, seen }) {
  if (request.url === "/__seen") return sendJson(response, 200, seen());
  if (request.url !== "/__control") return sendJson(response, 404, { message: "Unknown control path." });
  readRequest(request, ({ body }) => {
    try {
      follow(checkScript(body));
      sendJson(response, 200, {});
    } catch (failure) {
      sendJson(response, 400, { message: failure instanceof Error ? failure.message : String(failure) });
    }
  });
}

/**
 * @param {ServerResponse} response
 * @param {number} status
 * @param {object} body
 */
function sendJson(response, status, body) {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
