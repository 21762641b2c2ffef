/** Worker threads do not run TypeScript. The build before the tests wrote this file. */
export const compiledWorkerUrl = new URL("../../dist/worker/worker.js", import.meta.url);
