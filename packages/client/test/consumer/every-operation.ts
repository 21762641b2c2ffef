/** A user's program: it calls every operation and prints the results. */
import {
  createClient,
  decodeEmbedding,
  type FaultOf,
  GatewayRequestError,
  unwrap,
} from "@model-gateway/client";

const client = createClient({
  baseUrl: process.env.GATEWAY_URL ?? "",
  apiKey: process.env.GATEWAY_KEY,
  adminKey: process.env.GATEWAY_ADMIN_KEY,
  retry: { max: 1, waitMsMax: 1000 },
});

const health = unwrap(await client.checkHealth());
const readiness = await client.checkReadiness();

const models = unwrap(await client.listModels());
const model = unwrap(await client.retrieveModel("gte-small"));

const input = ["first text", "second text"];
const embedded = await client.createEmbedding({ model: "gte-small", input, encoding_format: "base64" });
const legacy = unwrap(await client.createEmbeddingLegacy("gte-small", { input: "first text" }));

const createdImages = unwrap(
  await client.createImage({ model: "local-sketch", prompt: "a fox", response_format: "b64_json" }),
);
const linked = unwrap(
  await client.createImage({ model: "local-sketch", prompt: "a fox", response_format: "url" }),
);
const file = unwrap(await client.retrieveImageFile(linked.data[0]?.url ?? ""));
const image = new Uint8Array(await file.arrayBuffer());
const edit = { model: "local-sketch", prompt: "add a rocket", response_format: "b64_json" } as const;
const editedForm = unwrap(await client.createImageEdit({ ...edit, image }));
const image_url = `data:image/png;base64,${createdImages.data[0]?.b64_json}`;
const editedJson = unwrap(await client.createImageEdit({ ...edit, images: [{ image_url }] }));

const provenance = unwrap(await client.createContentProvenanceCheck({ file: image }));

const createdEvents: string[] = [];
for await (const event of unwrap(
  await client.createImageStream({ model: "local-sketch", prompt: "a fox" }),
)) {
  createdEvents.push(event.type);
}
const editedEvents: string[] = [];
for await (const event of unwrap(await client.createImageEditStream({ ...edit, image: new Blob([image]) }))) {
  editedEvents.push(event.type);
}

const upload = { file: new Blob(['{"custom_id":"one"}\n']), purpose: "batch" } as const;
const uploaded = unwrap(await client.uploadFile(upload));
const files = unwrap(await client.listFiles({ limit: 10 }));
const iteratedFiles: string[] = [];
for await (const { filename } of client.iterateFiles({ limit: 1 })) iteratedFiles.push(filename);
const retrievedFile = unwrap(await client.retrieveFile(uploaded.id));
const fileContent = await unwrap(await client.retrieveFileContent(uploaded.id)).text();
const deletedFile = unwrap(await client.deleteFile(uploaded.id));

const missing = await client.retrieveModel("no/such model");
const refused = await client.createEmbedding({ model: "no-such-model", input: "a" });
/** A status narrows the operation's error, on the result and on the error itself. */
const unknownModel: (FaultOf<"createEmbedding", 404> | undefined)[] = [
  !refused.ok && refused.status === 404 ? refused.error : undefined,
  !refused.ok && refused.error.status === 404 ? refused.error : undefined,
];
const emptyImage = await client.createImageEdit({ ...edit, image: new Uint8Array(0) });
let thrown: unknown;
try {
  unwrap(refused);
} catch (error) {
  if (error instanceof GatewayRequestError) thrown = { name: error.name, code: error.code };
}
const withoutKey = await createClient({ baseUrl: process.env.GATEWAY_URL ?? "" }).listModels();

const job = unwrap(await client.createImageJob({ model: "local-sketch", prompt: "a fox" }));
const editJob = unwrap(await client.createImageEditJob({ ...edit, image: new Blob([image]) }));
const finishedJobs = [
  unwrap(await client.retrieveJob(job.id, { waitSeconds: 60 })),
  unwrap(await client.retrieveJob(editJob.id, { waitSeconds: 60 })),
];
const jobs = unwrap(await client.listJobs({ status: "completed", limit: 1 }));
const iteratedJobs: string[] = [];
for await (const { status } of client.iterateJobs({ limit: 1 })) iteratedJobs.push(status);
for await (const { status } of client.iterateAllJobs({ limit: 1 })) iteratedJobs.push(status);
const allJobs = unwrap(await client.listAllJobs({ limit: 1 }));
const anyJob = unwrap(await client.retrieveAnyJob(job.id));
const cancelledJobs = [unwrap(await client.cancelJob(job.id)), unwrap(await client.cancelAnyJob(job.id))];

const created = unwrap(await client.createKey({ name: "consumer", limits: { requests_per_minute: 5 } }));
const listed = unwrap(await client.listKeys({ limit: 1 }));
const iterated: string[] = [];
for await (const key of client.iterateKeys({ limit: 1 })) iterated.push(key.name);
for await (const request of client.iterateRequests({ limit: 1 })) iterated.push(request.id);
const changed = unwrap(await client.changeKey(created.id, { limits: { requests_per_minute: null } }));
const retrieved = unwrap(await client.retrieveKey(created.id));
const rotated = unwrap(await client.rotateKey(created.id, { overlap_seconds: 0 }));
const revoked = unwrap(await client.revokeKey(created.id));
const usage = unwrap(await client.retrieveUsage({ group_by: ["key", "day"] }));
const usageTable = unwrap(await client.retrieveUsageTable({ group_by: ["model"] }));
const requests = unwrap(await client.listRequests({ status: 200, limit: 1 }));
const requestsTable = unwrap(await client.listRequestsTable({ limit: 1 }));
const request = unwrap(await client.retrieveRequest(requests.data[0]?.id ?? "req_1"));
const ownKey = unwrap(await client.retrieveOwnKey());
const ownRequests = unwrap(await client.listOwnRequests({ failed: true, limit: 1 }));
const ownIterated: string[] = [];
for await (const own of client.iterateOwnRequests({ limit: 1 })) ownIterated.push(own.id);
const ownRequest = unwrap(await client.retrieveOwnRequest(ownIterated[0] ?? "req_1"));
const ownUsage = unwrap(await client.retrieveOwnUsage({ group_by: ["model", "day"] }));
const batchFile = unwrap(
  await client.uploadFile({ file: new Blob(['{"custom_id":"one"}\n']), purpose: "batch" }),
);
const batch = unwrap(
  await client.createBatch({
    input_file_id: batchFile.id,
    endpoint: "/v1/embeddings",
    completion_window: "24h",
  }),
);
const batches = unwrap(await client.listBatches({ limit: 10 }));
const iteratedBatches: string[] = [];
for await (const { id } of client.iterateBatches({ limit: 1 })) iteratedBatches.push(id);
const retrievedBatch = unwrap(await client.retrieveBatch(batch.id));
const cancelledBatch = await client.cancelBatch("batch_0");
const allBatches = unwrap(await client.listAllBatches({ limit: 10 }));
const anyBatch = unwrap(await client.retrieveAnyBatch(batch.id));
const cancelledAny = await client.cancelAnyBatch("batch_0");
const keysTable = unwrap(await client.listKeysTable({ search: "consumer", sort: "name", order: "asc" }));
const adminModels = unwrap(await client.listAdminModels());
const upstreams = unwrap(await client.listUpstreams());
const probe = unwrap(await client.probeTarget({ model: "gte-small", upstream: "local" }));
const compared = await client.compareTargets({ model: "gte-small" });
const accepted = await client.acceptSpace({ model: "gte-small", upstream: "local" });
const alerts = unwrap(await client.listAlerts());
const configuration = unwrap(await client.retrieveConfiguration());
const configurationChange = unwrap(
  await client.changeConfiguration({ dry_run: true, models: { "gte-small": null } }),
);
const providers = unwrap(await client.listProviders());
const trial = unwrap(await client.tryUpstream({ upstream: { provider: "local" } }));
const events: string[] = [];
for await (const event of unwrap(await client.streamEvents({ limit: 1 }))) events.push(event.type);
const session = unwrap(await client.createSession());
const signInCode = unwrap(await client.createSignInCode());
const signedIn = createClient({ baseUrl: process.env.GATEWAY_URL ?? "", apiKey: session.value });
const current = unwrap(await signedIn.retrieveSession());
const ended = unwrap(await signedIn.endSession());
const metrics = unwrap(await client.readMetrics());
const refusedAdmin = await createClient({ baseUrl: process.env.GATEWAY_URL ?? "" }).listKeys();

const report = {
  health: health.status,
  ready: readiness.ok,
  models: models.data.map(({ id }) => id).sort(),
  model: model.id,
  widths: embedded.ok
    ? embedded.data.data.map(({ embedding }) => decodeEmbedding(embedding).length)
    : embedded.error,
  requestId: embedded.requestId,
  legacyWidths: legacy.data.map(({ embedding }) => decodeEmbedding(embedding).length),
  imageHead: [...image.subarray(0, 4)],
  images: [createdImages, editedForm, editedJson].map(({ data }) => data.length),
  provenance: provenance.results.map(({ type, outcome }) => [type, outcome]),
  createdEvents,
  editedEvents,
  files: [
    files.data.length,
    iteratedFiles,
    retrievedFile.bytes,
    fileContent,
    deletedFile.deleted && deletedFile.id === uploaded.id,
  ],
  unknownModel: unknownModel.map((fault) => fault?.code),
  emptyImage: emptyImage.ok ? null : { status: emptyImage.status, code: emptyImage.error.code },
  missing: missing.ok ? null : { status: missing.status, code: missing.error.code },
  thrown,
  withoutKey: withoutKey.ok ? null : withoutKey.status,
  jobs: {
    images: finishedJobs.map(({ response }) => response?.data.length),
    listed: [jobs, allJobs].map(({ data }) => data.length),
    iterated: iteratedJobs,
    statuses: [anyJob, ...cancelledJobs].map(({ status }) => status),
  },
  own: [ownKey.object, ownRequests.object, ownIterated, ownRequest.object, ownUsage.object],
  batches: [
    batches.data.length,
    iteratedBatches.length,
    retrievedBatch.id === batch.id,
    allBatches.data.length,
    anyBatch.key_name,
    [cancelledBatch, cancelledAny].map((result) => (result.ok ? null : result.error.code)),
  ],
  keys: {
    value: created.value.slice(0, 3),
    listed: listed.data.map(({ name }) => name),
    iterated,
    changed: changed.limits.requests_per_minute,
    retrieved: retrieved.status,
    rotated: rotated.value.slice(0, 3),
    revoked: revoked.status,
  },
  usage: [usage.object, usageTable.split(",")[0]],
  requests: [requests.object, requestsTable.split(",")[0], request.object],
  keysTable: keysTable.split(",")[0],
  adminModels: adminModels.data.map(({ id }) => id).sort(),
  upstreams: upstreams.data.map(({ name }) => name),
  probe: probe.ok,
  compared: compared.ok ? null : compared.error.code,
  accepted: accepted.ok ? null : accepted.error.code,
  alerts: alerts.targets.length,
  configuration: configuration.format,
  configurationChange: configurationChange.applied,
  providers: providers.data.map(({ id }) => id),
  trial: trial.ok,
  events,
  session: [session.kind, current.kind, ended.ended],
  signInCode: signInCode.value.slice(0, 8),
  metrics: typeof metrics,
  refusedAdmin: refusedAdmin.ok ? null : refusedAdmin.status,
};
console.log(JSON.stringify(report));
