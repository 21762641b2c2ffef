import { createReadStream } from "node:fs";
import OpenAI from "openai";

const client = new OpenAI({ baseURL: "http://127.0.0.1:8080/v1", apiKey: process.env.GATEWAY_KEY });

const file = await client.files.create({
  purpose: "batch",
  file: createReadStream("requests.jsonl"),
});
console.log(file.filename, file.bytes);
