/**
 * A process: an upstream on a raw socket that answers with what it has prepared, and costs next to nothing.
 *
 * test/fake-upstream is not taken for this. It speaks all of HTTP and reads all of JSON, which costs two to three times
 * as much a request: on two cores it would be the limit for the fastest of what is measured. And what it can send
 * without working it out is one vector for all inputs, which cannot tell a right answer from one of another caller.
 */
import { type AddressInfo, createServer, type Socket } from "node:net";
import { type Message, MessageReader } from "../message-reader.js";
import { editedBytes, makeImage } from "../pictures.js";
import { inputNumber } from "../vectors.js";
import { prepareAnswers } from "./answers.js";

const answers = await prepareAnswers();
const edited = await makeImage(editedBytes);
let looksAtNextEdit = false;

const server = createServer({ noDelay: true }, serve).listen(0, "127.0.0.1", () =>
  process.send?.({ port: (server.address() as AddressInfo).port }),
);
process.on("message", (message) => {
  if (message === "look at the next edit") looksAtNextEdit = true;
});
process.on("disconnect", () => process.exit());

function serve(socket: Socket): void {
  const reader = new MessageReader({
    wantsBody: (startLine) => {
      if (!startLine.includes("/images/edits")) return true;
      const isWanted = looksAtNextEdit;
      looksAtNextEdit = false;
      return isWanted;
    },
    onMessage: (message) => socket.write(answerTo(message)),
  });
  socket.on("data", (chunk) => reader.push(chunk));
  // A proxy that is stopped leaves its connections; the next window opens its own.
  socket.on("error", () => socket.destroy());
}

function answerTo({ startLine, body, bodyBytes }: Message): Buffer {
  if (startLine.startsWith("POST /v1/embeddings ")) return answerEmbeddings(joined(body));
  if (startLine.startsWith("POST /v1/images/generations ")) return answers.image;
  if (startLine.startsWith("POST /v1/images/edits ")) {
    const isWhole = bodyBytes > edited.length && (body.length === 0 || hasItsImages(joined(body)));
    return isWhole ? answers.image : answers.wrong;
  }
  return answers.wrong;
}

function answerEmbeddings(body: Buffer): Buffer {
  const numbers: number[] = [];
  for (let place = body.indexOf(35); place !== -1; place = body.indexOf(35, place + 70))
    numbers.push(inputNumber(body, place));
  const encoding = body.includes('"encoding_format":"base64"') ? "base64" : "json";
  return numbers.length === 0 ? answers.wrong : answers.embeddings(numbers, encoding);
}

/** Whether a form holds as many whole images as its prompt says. */
function hasItsImages(form: Buffer): boolean {
  const said = Number(/(\d+) images/.exec(form.toString("latin1", 0, 4096))?.[1]);
  let count = 0;
  for (let at = form.indexOf(edited); at !== -1; at = form.indexOf(edited, at + edited.length)) count += 1;
  return count === said;
}

function joined(body: readonly Buffer[]): Buffer {
  const [only] = body;
  return body.length === 1 && only !== undefined ? only : Buffer.concat(body);
}
