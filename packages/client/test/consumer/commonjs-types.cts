/** A CommonJS program in TypeScript. */
import client = require("@model-gateway/client");

const gateway = client.createClient({ baseUrl: "http://127.0.0.1:8080" });
// @ts-expect-error The client needs the URL of the gateway.
client.createClient({ apiKey: "key" });

async function embed(text: string): Promise<Float32Array | client.GatewayRequestError> {
  const result: client.Result<{ data: { embedding: number[] | string }[] }> = await gateway.createEmbedding({
    model: "gte-small",
    input: text,
  });
  try {
    return client.decodeEmbedding(client.unwrap(result).data[0]?.embedding ?? []);
  } catch (error) {
    if (error instanceof client.GatewayRequestError) return error;
    throw error;
  }
}
void embed("The cat sat on the mat.");
