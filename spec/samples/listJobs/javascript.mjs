import { createClient, unwrap } from "@model-gateway/client";

const client = createClient({ baseUrl: "http://127.0.0.1:8080", apiKey: process.env.GATEWAY_KEY });

const { data } = unwrap(await client.listJobs({ limit: 20 }));
for (const job of data) console.log(job.model, job.status);
