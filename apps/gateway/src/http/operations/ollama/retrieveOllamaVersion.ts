import type { Handler } from "../../handler.js";

/** The version whose API these paths follow: clients decide by it what they may ask for. */
const version = "0.12.6";

export function retrieveOllamaVersion(): Handler<"retrieveOllamaVersion"> {
  return async () => ({ body: { version } });
}
