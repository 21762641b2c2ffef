/** Worker threads do not run TypeScript; the build that comes before the tests left this one. */
export const compiledWorkerUrl = new URL("../../../dist/embeddings/worker.js", import.meta.url);
