/** One page of each template. */
export const templates = [
  "",
  "guides/configuration/",
  "guides/the-console/",
  "upstreams/providers/",
  "reference/",
  "reference/createImageEdit/",
  "reference/streamEvents/",
  "reference/budgetShareReached/",
  "errors/",
  "errors/rate_limit_exceeded/",
  "decisions/",
  "decisions/0017-rate-limits-are-all-or-nothing/",
  "benchmarks/",
  "comparison/",
  "changelog/",
  "guides/scheduling/",
];

/** Opens all that is folded, for a test that looks at everything. */
export const openAll = `for (const details of document.querySelectorAll("main details")) details.open = true`;
