/** A program of someone who installed the package: it uses every operation and prints what came back. */
import { createClient, decodeEmbedding, GatewayRequestError, unwrap } from "@model-gateway/client";

const client = createClient({ baseUrl: process.env.GATEWAY_URL ?? "", apiKey: process.env.GATEWAY_KEY });

const health = unwrap(await client.checkHealth());
const readiness = await client.checkReadiness();

const models = unwrap(await client.listModels());
const model = unwrap(await client.retrieveModel("gte-small"));

const input = ["first text", "second text"];
const embedded = await client.createEmbedding({ model: "gte-small", input, encoding_format: "base64" });
const legacy = unwrap(await client.createEmbeddingLegacy("gte-small", { input: "first text" }));

const drawn = unwrap(
  await client.createImage({ model: "local-sketch", prompt: "a fox", response_format: "b64_json" }),
);
const linked = unwrap(
  await client.createImage({ model: "local-sketch", prompt: "a fox", response_format: "url" }),
);
const file = unwrap(await client.retrieveImageFile(linked.data[0]?.url ?? ""));
const picture = new Uint8Array(await file.arrayBuffer());
const edit = { model: "local-sketch", prompt: "add a rocket", response_format: "b64_json" } as const;
const editedForm = unwrap(await client.createImageEdit({ ...edit, image: picture }));
const image_url = `data:image/png;base64,${drawn.data[0]?.b64_json}`;
const editedJson = unwrap(await client.createImageEdit({ ...edit, images: [{ image_url }] }));

const drawnEvents: string[] = [];
for await (const event of unwrap(
  await client.createImageStream({ model: "local-sketch", prompt: "a fox" }),
)) {
  drawnEvents.push(event.type);
}
const editedEvents: string[] = [];
for await (const event of unwrap(
  await client.createImageEditStream({ ...edit, image: new Blob([picture]) }),
)) {
  editedEvents.push(event.type);
}

const missing = await client.retrieveModel("no/such model");
const refused = await client.createEmbedding({ model: "no-such-model", input: "a" });
let thrown: unknown;
try {
  unwrap(refused);
} catch (error) {
  if (error instanceof GatewayRequestError) thrown = { name: error.name, code: error.code };
}
const stranger = await createClient({ baseUrl: process.env.GATEWAY_URL ?? "" }).listModels();

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
  pictureHead: [...picture.subarray(0, 4)],
  pictures: [drawn, editedForm, editedJson].map(({ data }) => data.length),
  drawnEvents,
  editedEvents,
  missing: missing.ok ? null : { status: missing.status, code: missing.error.code },
  thrown,
  stranger: stranger.ok ? null : stranger.status,
};
console.log(JSON.stringify(report));
