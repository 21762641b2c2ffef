import { createReadStream } from "node:fs";
import OpenAI from "openai";

const client = new OpenAI({ baseURL: "http://127.0.0.1:8080/v1", apiKey: process.env.GATEWAY_KEY });

const { results } = await client.contentProvenanceChecks.create({ file: createReadStream("fox.png") });
for (const result of results) console.log(result.type, result.outcome);
