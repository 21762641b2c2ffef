/** Server-sent events. The build replaces this file with that of the package (`copy-unpublished.mjs`). */
export { EventTooLargeError, readServerSentEvents, type ServerSentEvent } from "@model-gateway/sse";
