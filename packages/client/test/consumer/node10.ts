/** A program that is compiled as TypeScript resolved modules before it read `exports`. */
import { createClient, unwrap } from "@model-gateway/client";

const client = createClient({ baseUrl: process.env.GATEWAY_URL ?? "", apiKey: process.env.GATEWAY_KEY });
// @ts-expect-error The model is text.
export const misuse = () => client.retrieveModel(42);

client.listModels().then((result) => console.log(unwrap(result).data[0]?.id));
