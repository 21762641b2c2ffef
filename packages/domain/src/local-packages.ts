/** The packages of the local models. They are an optional install, because they are half of its size. */
export const localPackages = ["@model-gateway/local-embeddings", "@model-gateway/sketch"] as const;

/** Why a local model is unavailable without them. */
export const localModelsMissing = "Local models are not installed.";
