/** What the built gateway has of undici: all that its sources import from it. There are types only for the whole. */
// @ts-expect-error
export { default as Client } from "undici/lib/dispatcher/client.js";
// @ts-expect-error
export { default as Pool } from "undici/lib/dispatcher/pool.js";
