/**
 * An embeddings upstream as a process of its own, whose mood is set from outside: `node moody-upstream.mjs <port>`, then
 * `POST /mood` with the name of one. It counts its calls at `GET /calls`.
 */
import { createHash } from "node:crypto";
import { createServer } from "node:http";

const width = 16;
let mood = "good";
let calls = 0;

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  if (request.url === "/mood") {
    mood = text;
    response.end();
    return;
  }
  if (request.url === "/calls") {
    response.end(String(calls));
    return;
  }
  calls += 1;
  const { input } = JSON.parse(text);
  const answer = () => {
    const data = input.map((one, index) => ({ object: "embedding", index, embedding: vectorOf(one) }));
    return JSON.stringify({ object: "list", data, model: "m", usage: { prompt_tokens: 1, total_tokens: 1 } });
  };
  switch (mood) {
    case "fails":
      return response.writeHead(500).end("{}");
    case "throttles":
      return response.writeHead(429, { "retry-after-ms": "200" }).end("{}");
    case "resets":
      return response.destroy();
    case "stalls":
      return undefined;
    case "cuts":
      response.writeHead(200, { "content-type": "application/json", "content-length": "5000" });
      return response.write(answer().slice(0, 40), () => response.destroy());
    case "lies":
      return response.end(answer().replace('"index":0', '"index":7'));
    case "garbles":
      return response.end("<html>");
    default:
      return response.end(answer());
  }
});
server.listen(Number(process.argv[2]), "127.0.0.1", () => console.log("listening"));

function vectorOf(text) {
  const hash = createHash("sha512").update(text).digest();
  return Array.from({ length: width }, (_, index) => (hash[index] - 128) / 256);
}
