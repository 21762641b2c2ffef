import type { Schemas } from "../operations.js";

/** What a person reads when the gateway is up. Keys that were made are shown here and nowhere else. */
export function welcome(
  url: string,
  models: readonly Schemas["Model"][],
  { madeKey, madeAdminKey }: { madeKey: string | undefined; madeAdminKey: string | undefined },
): string {
  const lines = ["", `Model Gateway is listening on ${url}`, `Reference and guides: ${url}/docs/`, ""];
  if (madeAdminKey !== undefined) {
    lines.push(
      "The admin key, which makes and revokes keys for callers. It was made by this first start and is not shown again:",
      "",
      `  ${madeAdminKey}`,
      "",
    );
  }
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
