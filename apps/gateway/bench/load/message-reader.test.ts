import { expect, test } from "vitest";
import { type Message, MessageReader } from "./message-reader.js";

const threeMessages = [
  "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
  "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n",
  "HTTP/1.1 500 Oh\r\ncontent-length: 0\r\n\r\n",
].join("");

const expected = [
  { startLine: "HTTP/1.1 200 OK", bodyBytes: 5, body: "hello" },
  { startLine: "HTTP/1.1 200 OK", bodyBytes: 13, body: "abc0123456789" },
  { startLine: "HTTP/1.1 500 Oh", bodyBytes: 0, body: "" },
];

test.each([1, 2, 3, 7, 64, 1000])("messages are read when they arrive %i bytes at a time", (size) => {
  const messages: Message[] = [];
  const reader = new MessageReader({ wantsBody: () => true, onMessage: (message) => messages.push(message) });

  for (let at = 0; at < threeMessages.length; at += size)
    reader.push(Buffer.from(threeMessages.slice(at, at + size)));

  expect(messages.map((message) => ({ ...message, body: Buffer.concat(message.body).toString() }))).toEqual(
    expected,
  );
});

test("an unwanted body is counted and not kept", () => {
  const messages: Message[] = [];
  const reader = new MessageReader({
    wantsBody: () => false,
    onMessage: (message) => messages.push(message),
  });

  reader.push(Buffer.from("POST / HTTP/1.1\r\ncontent-length: 5\r\n\r\nhello"));

  expect(messages).toEqual([{ startLine: "POST / HTTP/1.1", bodyBytes: 5, body: [] }]);
});
