import type { components } from "@model-gateway/client";

/** The objects of the API, as the spec names them. */
export type Schemas = components["schemas"];
