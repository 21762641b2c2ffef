import type { Schemas } from "./operations.js";

/** What a person reads when the gateway is up. The made key is shown here and nowhere else. */
export function welcome(
  url: string,
  models: readonly Schemas["Model"][],
  madeKey: string | undefined,
): string {
  const lines = ["", `Model Gateway is listening on ${url}`, `Reference and guides: ${url}/docs/`, ""];
  if (madeKey === undefined) return `${lines.join("\n")}\n`;
  const ready = models.filter(({ status }) => status === "ready");
  const example = ready.find(({ type }) => type === "embedding") ?? ready[0] ?? models[0];
  const request =
    example?.type === "image"
      ? { path: "/v1/images/generations", body: { model: example.id, prompt: "a red fox in the snow" } }
      : { path: "/v1/embeddings", body: { model: example?.id ?? "", input: "The cat sat on the mat." } };
  lines.push(
    "There is no key in the configuration, so one was made for this run. Try:",
    "",
    `  curl ${url}${request.path} \\`,
    `    -H "Authorization: Bearer ${madeKey}" \\`,
    '    -H "Content-Type: application/json" \\',
    `    -d '${JSON.stringify(request.body)}'`,
    "",
  );
  return `${lines.join("\n")}\n`;
}
