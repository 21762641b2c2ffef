/** A user's program: it calls the methods of each form in front of a running gateway, and prints the results. */
import {
  createClient,
  decodeEmbedding,
  type FaultOf,
  GatewayRequestError,
  unwrap,
} from "@model-gateway/client";

const baseUrl = process.env.GATEWAY_URL ?? "";
const client = createClient({
  baseUrl,
  apiKey: process.env.GATEWAY_KEY,
  adminKey: process.env.GATEWAY_ADMIN_KEY,
  retry: { max: 1, waitMsMax: 1000 },
});

const readiness = await client.checkReadiness();
const models = unwrap(await client.listModels());

const input = ["first text", "second text"];
const embedded = await client.createEmbedding({ model: "gte-small", input, encoding_format: "base64" });
const legacy = unwrap(await client.createEmbeddingLegacy("gte-small", { input: "first text" }));

const linked = unwrap(
  await client.createImage({ model: "local-sketch", prompt: "a fox", response_format: "url" }),
);
const file = unwrap(await client.retrieveImageFile(linked.data[0]?.url ?? ""));
const image = new Uint8Array(await file.arrayBuffer());
const edit = { model: "local-sketch", prompt: "add a rocket", response_format: "b64_json" } as const;
const editedForm = unwrap(await client.createImageEdit({ ...edit, image }));
const image_url = `data:image/png;base64,${editedForm.data[0]?.b64_json}`;
const editedJson = unwrap(await client.createImageEdit({ ...edit, images: [{ image_url }] }));
const provenance = unwrap(await client.createContentProvenanceCheck({ file: image }));
const editedEvents: string[] = [];
for await (const event of unwrap(await client.createImageEditStream({ ...edit, image: new Blob([image]) }))) {
  editedEvents.push(event.type);
}

const upload = { file: new Blob(['{"custom_id":"one"}\n']), purpose: "batch" } as const;
const uploaded = unwrap(await client.uploadFile(upload));
const iteratedFiles: string[] = [];
for await (const { filename } of client.iterateFiles({ limit: 1 })) iteratedFiles.push(filename);
const fileContent = await unwrap(await client.retrieveFileContent(uploaded.id)).text();

const editJob = unwrap(await client.createImageEditJob({ ...edit, image: new Blob([image]) }));
const finishedJob = unwrap(await client.retrieveJob(editJob.id, { waitSeconds: 60 }));

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
const withoutKey = await createClient({ baseUrl }).listModels();

const created = unwrap(await client.createKey({ name: "consumer", limits: { requests_per_minute: 5 } }));
const changed = unwrap(await client.changeKey(created.id, { limits: { requests_per_minute: null } }));
const keysTable = unwrap(await client.listKeysTable({ search: "consumer", sort: "name", order: "asc" }));
const usage = unwrap(await client.retrieveUsage({ group_by: ["key", "day"] }));
const ownKey = unwrap(await client.retrieveOwnKey());
const events: string[] = [];
for await (const event of unwrap(await client.streamEvents({ limit: 1 }))) events.push(event.type);
const session = unwrap(await client.createSession());
const signedIn = createClient({ baseUrl, apiKey: session.value });
const current = unwrap(await signedIn.retrieveSession());
const ended = unwrap(await signedIn.endSession());
const metrics = unwrap(await client.readMetrics());

const report = {
  ready: readiness.ok,
  models: models.data.map(({ id }) => id).sort(),
  widths: embedded.ok
    ? embedded.data.data.map(({ embedding }) => decodeEmbedding(embedding).length)
    : embedded.error,
  requestId: embedded.requestId,
  legacyWidths: legacy.data.map(({ embedding }) => decodeEmbedding(embedding).length),
  imageHead: [...image.subarray(0, 4)],
  images: [editedForm, editedJson, finishedJob.response].map((response) => response?.data.length),
  provenance: provenance.results.map(({ type, outcome }) => [type, outcome]),
  editedEvents,
  files: [iteratedFiles, fileContent],
  unknownModel: unknownModel.map((fault) => fault?.code),
  emptyImage: emptyImage.ok ? null : { status: emptyImage.status, code: emptyImage.error.code },
  missing: missing.ok ? null : { status: missing.status, code: missing.error.code },
  thrown,
  withoutKey: withoutKey.ok ? null : withoutKey.status,
  keys: [created.value.slice(0, 3), changed.limits.requests_per_minute, keysTable.split(",")[0]],
  usage: usage.object,
  ownKey: ownKey.object,
  events,
  session: [session.kind, current.kind, ended.ended],
  metrics: typeof metrics,
};
console.log(JSON.stringify(report));
