import OpenAI from "openai";

const client = new OpenAI({ baseURL: "http://127.0.0.1:8080/v1", apiKey: process.env.GATEWAY_KEY });

const content = await client.files.content(process.env.FILE_ID);
for (const line of (await content.text()).trim().split("\n")) {
  console.log(JSON.parse(line).custom_id);
}
