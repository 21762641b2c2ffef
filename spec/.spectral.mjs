import { oas } from "@stoplight/spectral-rulesets";

/** Spectral's own rules for OpenAPI. No rule is switched off. */
export default {
  extends: [oas],
  rules: {
    // Spectral's OpenAPI 3.1 schema is from 2021 and forgets that a path may be a reference, so references are followed
    // first. https://spec.openapis.org/oas/v3.1.1.html#path-item-object
    "oas3-schema": { ...oas.rules["oas3-schema"], resolved: true },
  },
};
