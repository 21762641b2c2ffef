/**
 * The types for CommonJS programs. Before TypeScript 5.8 the compiler does not let them require an ES module, which Node
 * does. Every value of `index.ts` is repeated here; the types come from there.
 */
import type * as client from "./index.js" with { "resolution-mode": "import" };

export type * from "./index.js" with { "resolution-mode": "import" };
export declare const createClient: typeof client.createClient;
export declare const decodeBinaryEmbedding: typeof client.decodeBinaryEmbedding;
export declare const decodeEmbedding: typeof client.decodeEmbedding;
export declare const GatewayRequestError: typeof client.GatewayRequestError;
export type GatewayRequestError = client.GatewayRequestError;
export declare const imagePart: typeof client.imagePart;
export declare const unwrap: typeof client.unwrap;
