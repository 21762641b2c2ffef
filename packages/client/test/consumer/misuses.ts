/** What must not compile. Each comment claims an error on the line below it, and the compiler checks the claim. */
import { createClient, unwrap } from "@model-gateway/client";

const client = createClient({ baseUrl: "http://127.0.0.1:8080", apiKey: "key" });

// @ts-expect-error The client needs the address of the gateway.
createClient({ apiKey: "key" });
// @ts-expect-error An embedding needs an input.
await client.createEmbedding({ model: "gte-small" });
// @ts-expect-error The encoding is one of two words.
await client.createEmbedding({ model: "gte-small", input: "a", encoding_format: "hex" });
// @ts-expect-error A body has no fields that the spec does not name.
await client.createImage({ model: "local-sketch", prompt: "a fox", colour: "red" });
// @ts-expect-error A stream is asked for with createImageStream.
await client.createImage({ model: "local-sketch", prompt: "a fox", stream: true });
// @ts-expect-error A picture is bytes, not a path.
await client.createImageEdit({ model: "local-sketch", prompt: "a rocket", image: "fox.png" });
// @ts-expect-error The model is text.
await client.retrieveModel(42);
// @ts-expect-error A link that is taken apart has a signature.
await client.retrieveImageFile({ file: "fox.png", expires: "1787153686" });
// @ts-expect-error Vectors are never made in part.
await client.createEmbedding({ model: "gte-small", input: "a" }, { allowPartial: true });
// @ts-expect-error There is no data before `ok` was looked at.
(await client.listModels()).data;
// @ts-expect-error There is no error in a success.
unwrap(await client.listModels()).error;
// @ts-expect-error Results of calls are unwrapped, not their promises.
unwrap(client.listModels());
// @ts-expect-error A key has a name.
await client.createKey({ owner: "ann" });
// @ts-expect-error There is no week to group by.
await client.retrieveUsage({ group_by: ["week"] });
// @ts-expect-error The secret of a key is only in the answer that made it.
unwrap(await client.retrieveKey("key_1")).value;
// @ts-expect-error What is not known is not a number.
unwrap(await client.retrieveUsage()).data[0]?.cost_usd.toFixed(2);
// @ts-expect-error An operation that the spec lacks is not there.
await client.deleteModel("gte-small");

for await (const event of unwrap(
  await client.createImageStream({ model: "local-sketch", prompt: "a fox" }),
)) {
  // @ts-expect-error Failures are thrown, so that no event is one.
  if (event.type === "error") break;
  // @ts-expect-error Only an unfinished picture has a number.
  event.partial_image_index;
}
