/**
 * A process: an upstream on a raw socket that sends prepared replies and costs almost no CPU time.
 *
 * test/fake-upstream is not used here for two reasons. It implements all of HTTP and parses all of JSON, which costs two
 * to three times as much per request: on two cores it would limit the fastest rivals. And its cheap reply is the same
 * vector for every input, so a response that belongs to another caller would go unnoticed.
 */
import { type AddressInfo, createServer, type Socket } from "node:net";
import { type Message, MessageReader } from "../load/message-reader.js";
import {
  createImage,
  embeddedImageBytes,
  inputNumber,
  uploadedImageBytes,
} from "../workloads/sample-data.js";
import { ImageCount } from "./image-count.js";
import { prepareReplies } from "./replies.js";

const replies = await prepareReplies();
const uploadedImage = await createImage(uploadedImageBytes);
const embeddedImage = Buffer.from((await createImage(embeddedImageBytes)).toString("base64"));
let verifiesNextUpload = false;
let imageCount: ImageCount | undefined;

const server = createServer({ noDelay: true }, serve).listen(0, "127.0.0.1", () =>
  process.send?.({ port: (server.address() as AddressInfo).port }),
);
process.on("message", (message) => {
  if (message === "verify the next upload") verifiesNextUpload = true;
  if (message === "count images") {
    process.send?.(imageCount?.prompts ?? new Map());
    imageCount ??= new ImageCount();
  }
});
process.on("disconnect", () => process.exit());

function serve(socket: Socket): void {
  const reader = new MessageReader({
    // Forms are large: keeping each of them would be felt. One per warm-up is verified.
    wantsBody: (startLine) => {
      if (!startLine.includes("/images/edits")) return true;
      return takeOrder();
    },
    onMessage: (message) => socket.write(replyTo(message)),
  });
  socket.on("data", (chunk) => reader.push(chunk));
  // A rival that is stopped resets its connections.
  socket.on("error", () => socket.destroy());
}

function replyTo({ startLine, body, bodyBytes }: Message): Buffer {
  if (startLine.startsWith("POST /v1/embeddings ")) return replyToEmbeddings(concat(body));
  if (startLine.startsWith("POST /v1/images/generations ")) return replyToGeneration(concat(body));
  if (startLine.startsWith("POST /v1/images/edits ")) {
    const isComplete = bodyBytes > uploadedImage.length && (body.length === 0 || hasAllImages(concat(body)));
    return isComplete ? replies.image : replies.unexpectedRequest;
  }
  return replies.unexpectedRequest;
}

/** The prompt ends with the requested reply. */
function replyToGeneration(body: Buffer): Buffer {
  if (imageCount !== undefined) return replies.images(imageCount.add(body));
  if (body.includes('"stream":true')) return replies.imageStream;
  if (body.includes("RGBA, silent")) return replies.silentRgbaImage;
  return body.includes("RGBA") ? replies.rgbaImage : replies.image;
}

/** Finds the inputs by their `#` instead of parsing JSON. No input is shorter than 70 bytes. */
function replyToEmbeddings(body: Buffer): Buffer {
  const numbers: number[] = [];
  for (let offset = body.indexOf(35); offset !== -1; offset = body.indexOf(35, offset + 70))
    numbers.push(inputNumber(body, offset));
  if (numbers.length === 0 || !hasAllEmbedded(body, numbers.length)) return replies.unexpectedRequest;
  const encoding = hasField(body, '"encoding_format":"base64"') ? "base64" : "json";
  return replies.embeddings(numbers, encoding);
}

/** The fields beside `input` stand before it or after it. */
function hasField(body: Buffer, field: string): boolean {
  return body.subarray(0, 4096).includes(field) || body.subarray(-4096).includes(field);
}

/** Whether each input has its image, if it must have one. Only some are compared. */
function hasAllEmbedded(body: Buffer, inputs: number): boolean {
  if (!hasField(body, '"model":"pictures"')) return true;
  if (body.length < inputs * embeddedImage.length) return false;
  return !takeOrder() || count(body, embeddedImage) === inputs;
}

/** Whether a form contains as many unaltered images as its prompt says. */
function hasAllImages(form: Buffer): boolean {
  const expected = Number(/(\d+) images/.exec(form.toString("latin1", 0, 4096))?.[1]);
  return count(form, uploadedImage) === expected;
}

function count(body: Buffer, image: Buffer): number {
  let found = 0;
  for (let at = body.indexOf(image); at !== -1; at = body.indexOf(image, at + image.length)) found += 1;
  return found;
}

/** Whether the images of this upload are to be verified. */
function takeOrder(): boolean {
  const isWanted = verifiesNextUpload;
  verifiesNextUpload = false;
  return isWanted;
}

function concat(body: readonly Buffer[]): Buffer {
  const [only] = body;
  return body.length === 1 && only !== undefined ? only : Buffer.concat(body);
}
