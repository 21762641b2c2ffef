/** Code that must not compile. Each comment expects an error on the line below it, and the compiler checks that. */
import { createClient, type FaultCode, type FaultOf, unwrap } from "@model-gateway/client";

const client = createClient({ baseUrl: "http://127.0.0.1:8080", apiKey: "key" });

// @ts-expect-error The client needs the URL of the gateway.
createClient({ apiKey: "key" });
// @ts-expect-error An embedding needs a model.
await client.createEmbedding({ input: "a" });
// @ts-expect-error The encoding is one of two words.
await client.createEmbedding({ model: "gte-small", input: "a", encoding_format: "hex" });
// @ts-expect-error A body has no fields that the spec does not name.
await client.createImage({ model: "local-sketch", prompt: "a fox", colour: "red" });
// @ts-expect-error Streams are requested with createImageStream.
await client.createImage({ model: "local-sketch", prompt: "a fox", stream: true });
// @ts-expect-error An image is bytes, not a path.
await client.createImageEdit({ model: "local-sketch", prompt: "a rocket", image: "fox.png" });
// @ts-expect-error The model is text.
await client.retrieveModel(42);
// @ts-expect-error The parts of a link include a signature.
await client.retrieveImageFile({ file: "fox.png", expires: "1787153686" });
// @ts-expect-error Embeddings have no partial results.
await client.createEmbedding({ model: "gte-small", input: "a" }, { allowPartial: true });
// @ts-expect-error `data` exists only after `ok` was checked.
(await client.listModels()).data;
// @ts-expect-error A success has no error.
unwrap(await client.listModels()).error;
// @ts-expect-error Results of calls are unwrapped, not their promises.
unwrap(client.listModels());
// @ts-expect-error A key has a name.
await client.createKey({ owner: "ann" });
// @ts-expect-error The key comes before the changes.
await client.changeKey({ limits: { requests_per_minute: 5 } }, "key_1");
// @ts-expect-error Usage cannot be grouped by week.
await client.retrieveUsage({ group_by: ["week"] });
// @ts-expect-error A key's secret is only in createKey's response.
unwrap(await client.retrieveKey("key_1")).value;
// @ts-expect-error An unknown cost is null, not a number.
unwrap(await client.retrieveUsage()).data[0]?.cost_usd.toFixed(2);
// @ts-expect-error Only the spec's and the client's codes exist.
export const code: FaultCode = "no_such_code";
// @ts-expect-error Retries have their own names.
createClient({ baseUrl: "http://127.0.0.1:8080", retry: { attempts: 3 } });
// @ts-expect-error Only operations of the spec exist.
await client.deleteModel("gte-small");

const embedded = await client.createEmbedding({ model: "gte-small", input: "a" });
if (!embedded.ok) {
  // @ts-expect-error The status is not known yet.
  takeFault(embedded.error);
  // @ts-expect-error Another status has another error.
  if (embedded.status === 404) takeFault(embedded.error);
  // @ts-expect-error A model that is not found is a 404, not a 429.
  if (embedded.error.status === 429) takeCode("model_not_found");
}
function takeFault(_fault: FaultOf<"createEmbedding", 429>): void {}
function takeCode(_code: Known<FaultOf<"createEmbedding", 429>["code"]>): void {}
/** The codes that are listed. Others are allowed, because a newer gateway may send them. */
type Known<Code> = Code extends string ? (string extends Code ? never : Code) : never;

for await (const event of unwrap(
  await client.createImageStream({ model: "local-sketch", prompt: "a fox" }),
)) {
  // @ts-expect-error Failures are thrown, so no event is an error.
  if (event.type === "error") break;
  // @ts-expect-error Only an unfinished image has an index.
  event.partial_image_index;
}
