/** @import { ServerResponse } from "node:http" */
/** @import { AddressInfo } from "node:net" */
/** @import { Behaviour, Fault, ReceivedRequest, Reply, Script, Seen } from "./script.js" */
/** @import { Exchange } from "./tally.mjs" */
import { createServer } from "node:http";
import { checkScript } from "./check-script.mjs";
import { answerControl } from "./control.mjs";
import { Embeddings } from "./embeddings.mjs";
import { Images } from "./images.mjs";
import { draw } from "./pictures.mjs";
import { Prompter } from "./prompter.mjs";
import { readRequest } from "./read-request.mjs";
import { errorReply, jsonReply } from "./reply.mjs";
import { sendReply } from "./send-reply.mjs";
import { Tally } from "./tally.mjs";

/**
 * A server that speaks OpenAI's dialect, and misbehaves as its script says or the name of a model asks for.
 * @typedef {object} FakeUpstream
 * @property {string} baseUrl
 * @property {ReceivedRequest[]} received the last requests
 * @property {() => Seen} seen
 * @property {(script: Script) => void} follow does from now on what the script says, and lets go what was held
 * @property {() => Promise<void>} close
 */

/**
 * @param {object} [options]
 * @param {number} [options.port] a free one where none is given
 * @param {Script} [options.script]
 * @param {number} [options.keptMax] how many of the last requests are kept
 * @param {() => void} [options.onRequest]
 * @returns {Promise<FakeUpstream>}
 */
export async function startFakeUpstream({ port = 0, script = {}, keptMax = 10_000, onRequest } = {}) {
  const prompter = new Prompter();
  const tally = new Tally(keptMax, onRequest ?? (() => undefined));
  const makers = { embeddings: new Embeddings(), images: new Images() };
  prompter.follow(checkScript(script));
  const control = {
    follow: (/** @type {Script} */ next) => prompter.follow(checkScript(next)),
    seen: () => tally.seen(),
  };

  // Whoever keeps a connection may go on using it: a race about who closes first is no part of any script.
  const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
    if (request.url?.startsWith("/__")) {
      tally.disregard(request.socket);
      answerControl(request, response, control);
    } else if (request.method === "GET") {
      void sendImage(response);
    } else {
      const exchange = tally.begin(response);
      readRequest(request, (received, bytes) => {
        tally.keep(received, bytes);
        answer(received, response, exchange);
      });
    }
  });
  server.on("connection", (socket) => tally.connect(socket));

  /**
   * @param {ReceivedRequest} received
   * @param {ServerResponse} response
   * @param {Exchange} exchange
   */
  function answer(received, response, exchange) {
    const behaviour = prompter.behaviourFor(String(received.body.model));
    const fault = prompter.faultOf(behaviour);
    /** @param {Reply} reply */
    const send = (reply) => {
      received.status = reply.status;
      sendReply(response, reply, { fault, exchange });
    };
    const proceed = () => {
      const reply = replyOf(received, { behaviour, fault, makers, address });
      if (reply instanceof Promise) reply.then(send, (failure) => send(refusal(failure)));
      else send(reply);
    };
    // What is due at once is answered at once: a promise for each request would be felt in a benchmark.
    const due = prompter.untilDue(behaviour);
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
 * @param {{ behaviour: Behaviour, fault: Fault | undefined, makers: { embeddings: Embeddings, images: Images }, address: string }} told
 * @returns {Reply | Promise<Reply>}
 */
function replyOf(received, { behaviour, fault, makers, address }) {
  if (fault?.kind === "garbage") return jsonReply(200, "<html>not json</html>");
  if (fault?.kind === "answer") {
    const { status = 200, headers, body } = fault;
    return body === undefined ? errorReply(status, {}, headers) : jsonReply(status, body, headers);
  }
  const lie = fault?.kind === "lie" ? fault.lie : undefined;
  try {
    if (received.path.endsWith("/embeddings")) return makers.embeddings.reply(received, behaviour, lie);
    return makers.images.reply(received, behaviour, { lie, address });
  } catch (failure) {
    return refusal(failure);
  }
}

/**
 * What cannot be understood is the fault of whoever sent it.
 * @param {unknown} failure
 */
function refusal(failure) {
  return errorReply(400, { message: failure instanceof Error ? failure.message : String(failure) });
}

/** @param {ServerResponse} response */
async function sendImage(response) {
  response.writeHead(200, { "content-type": "image/png" }).end(await draw({}));
}
