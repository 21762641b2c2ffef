/** What the built gateway has of undici: all that its sources use of it. There are types only for the whole. */
// @ts-expect-error
import request from "undici/lib/api/api-request.js";
// @ts-expect-error
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";

// @ts-expect-error
export { default as Client } from "undici/lib/dispatcher/client.js";
// @ts-expect-error
export { default as Pool } from "undici/lib/dispatcher/pool.js";

// Undici has it from elsewhere, and gives it to all that connect.
Dispatcher.prototype.request = request;
