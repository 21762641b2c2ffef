import { createClient, unwrap } from "@model-gateway/client";

const client = createClient({ baseUrl: "http://127.0.0.1:8080", adminKey: process.env.GATEWAY_ADMIN_KEY });

const { data } = unwrap(await client.listAllJobs({ status: "completed" }));
for (const job of data) console.log(job.key_id, job.model, job.status);
