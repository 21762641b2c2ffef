import { createClient, unwrap } from "@model-gateway/client";

const client = createClient({ baseUrl: "http://127.0.0.1:8080", apiKey: process.env.GATEWAY_KEY });

const job = unwrap(await client.cancelJob(process.env.JOB_ID));
console.log(job.model, job.status);
