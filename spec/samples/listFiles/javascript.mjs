import OpenAI from "openai";

const client = new OpenAI({ baseURL: "http://127.0.0.1:8080/v1", apiKey: process.env.GATEWAY_KEY });

for await (const file of client.files.list({ purpose: "batch" })) {
  console.log(file.filename, file.bytes);
}
