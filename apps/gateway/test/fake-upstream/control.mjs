/** @import { IncomingMessage, ServerResponse } from "node:http" */
/** @import { Script, Seen } from "./script.js" */
import { checkScript } from "./check-script.mjs";
import { readRequest } from "./read-request.mjs";

/**
 * `POST /__control` with a script, and `GET /__seen` for what has come in.
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 * @param {{ follow: (script: Script) => void, seen: () => Seen }} upstream
 */
export function answerControl(request, response, { follow, seen }) {
  if (request.url === "/__seen") return answer(response, 200, seen());
  if (request.url !== "/__control") return answer(response, 404, { message: "There is no such control." });
  readRequest(request, ({ body }) => {
    try {
      follow(checkScript(body));
      answer(response, 200, {});
    } catch (fault) {
      answer(response, 400, { message: fault instanceof Error ? fault.message : String(fault) });
    }
  });
}

/**
 * @param {ServerResponse} response
 * @param {number} status
 * @param {object} body
 */
function answer(response, status, body) {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
