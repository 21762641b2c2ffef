/** @import { ServerResponse } from "node:http" */
/** @import { AddressInfo } from "node:net" */
/** @import { Behaviour, Fault, ReceivedRequest, Reply, Script, Seen } from "./script.js" */
/** @import { Exchange } from "./tally.mjs" */
import { createServer } from "node:http";
import { checkScript } from "./check-script.mjs";
import { serveControl } from "./control.mjs";
import { Embeddings } from "./embeddings.mjs";
import { Images } from "./images.mjs";
import { readRequest } from "./read-request.mjs";
import { errorReply, jsonReply } from "./reply.mjs";
import { createSolid } from "./sample-images.mjs";
import { ScriptRunner } from "./script-runner.mjs";
import { sendReply } from "./send-reply.mjs";
import { Tally } from "./tally.mjs";

/**
 * An HTTP server with OpenAI's API. It stalls, cuts, lies and sends garbage, as its script or a model's name says.
 * @typedef {object} FakeUpstream
 * @property {string} baseUrl
 * @property {ReceivedRequest[]} received the last requests
 * @property {() => Seen} seen
 * @property {(script: Script) => void} follow applies to requests from now on; held requests go on
 * @property {() => Promise<void>} close
 */

/**
 * @param {object} [options]
 * @param {number} [options.port] defaults to a free port
 * @param {Script} [options.script]
 * @param {number} [options.keptMax] how many of the last requests are kept
 * @param {() => void} [options.onRequest]
 * @returns {Promise<FakeUpstream>}
 */
export async function startFakeUpstream({ port = 0, script = {}, keptMax = 10_000, onRequest } = {}) {
  const runner = new ScriptRunner();
  const tally = new Tally(keptMax, onRequest ?? (() => undefined));
  const writers = { embeddings: new Embeddings(), images: new Images() };
  runner.follow(checkScript(script));
  const control = {
    follow: (/** @type {Script} */ next) => runner.follow(checkScript(next)),
    seen: () => tally.seen(),
  };

  // Idle connections stay open: a race between a close and a new request belongs to no script.
  const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
    if (request.url?.startsWith("/__")) {
      tally.disregard(request.socket);
      serveControl(request, response, control);
    } else if (request.method === "GET" && request.url === "/v1/models") {
      listModels(response, runner.listed);
    } else if (request.method === "GET") {
      void sendImage(response);
    } else {
      const exchange = tally.begin(response);
      readRequest(request, (received, bytes) => {
        tally.keep(received, bytes);
        respond(received, response, exchange);
      });
    }
  });
  server.on("connection", (socket) => tally.connect(socket));

  /**
   * @param {ReceivedRequest} received
   * @param {ServerResponse} response
   * @param {Exchange} exchange
   */
  function respond(received, response, exchange) {
    const behaviour = runner.behaviourFor(String(received.body.model));
    const fault = runner.faultOf(behaviour);
    /** @param {Reply} reply */
    const send = (reply) => {
      received.status = reply.status;
      sendReply(response, reply, { fault, exchange });
    };
    const proceed = () => {
      const reply = replyOf(received, { behaviour, fault, writers, address });
      if (reply instanceof Promise) reply.then(send, (failure) => send(refusal(failure)));
      else send(reply);
    };
    // No promise for a reply that is due at once: it would show in benchmarks.
    const due = runner.untilDue(behaviour);
    if (due === undefined) proceed();
    else void due.then(proceed);
  }

  await new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(undefined)));
  const address = `http://127.0.0.1:${/** @type {AddressInfo} */ (server.address()).port}`;
  return {
    ...control,
    baseUrl: `${address}/v1`,
    received: tally.received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * @param {ReceivedRequest} received
 * @param {{ behaviour: Behaviour, fault: Fault | undefined, writers: { embeddings: Embeddings, images: Images }, address: string }} context
 * @returns {Reply | Promise<Reply>}
 */
function replyOf(received, { behaviour, fault, writers, address }) {
  if (fault?.kind === "garbage") return jsonReply(200, "<html>not json</html>");
  if (fault?.kind === "reply") {
    const { status = 200, headers, body } = fault;
    return body === undefined ? errorReply(status, {}, headers) : jsonReply(status, body, headers);
  }
  const lie = fault?.kind === "lie" ? fault.lie : undefined;
  try {
    if (received.path.endsWith("/embeddings")) return writers.embeddings.reply(received, behaviour, lie);
    return writers.images.reply(received, behaviour, { lie, address });
  } catch (failure) {
    return refusal(failure);
  }
}

/**
 * A request that cannot be understood is the caller's fault.
 * @param {unknown} failure
 */
function refusal(failure) {
  return errorReply(400, { message: failure instanceof Error ? failure.message : String(failure) });
}

/**
 * @param {ServerResponse} response
 * @param {NonNullable<Script["listed"]>} listed
 */
function listModels(response, listed) {
  const isError = typeof listed === "number";
  const body = isError ? {} : { object: "list", data: listed.map((id) => ({ id, object: "model" })) };
  response.writeHead(isError ? listed : 200, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/** @param {ServerResponse} response */
async function sendImage(response) {
  response.writeHead(200, { "content-type": "image/png" }).end(await createSolid({}));
}
