import { writeFile } from "node:fs/promises";
import { createClient, unwrap } from "@model-gateway/client";

const client = createClient({ baseUrl: "http://127.0.0.1:8080", apiKey: process.env.GATEWAY_KEY });

const job = unwrap(await client.retrieveJob(process.env.JOB_ID, { waitSeconds: 30 }));
console.log(job.status);
if (job.response) await writeFile("fox.png", Buffer.from(job.response.data[0].b64_json, "base64"));
