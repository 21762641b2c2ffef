import OpenAI from "openai";

const client = new OpenAI({ baseURL: "http://127.0.0.1:8080/openai/v1", apiKey: process.env.GATEWAY_KEY });

for await (const model of client.models.list()) console.log(model.id);
