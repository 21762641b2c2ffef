import { createClient, unwrap } from "@model-gateway/client";

const client = createClient({ baseUrl: "http://127.0.0.1:8080", adminKey: process.env.GATEWAY_ADMIN_KEY });

const job = unwrap(await client.retrieveAnyJob(process.env.JOB_ID));
console.log(job.key_id, job.model, job.status);
