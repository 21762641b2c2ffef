import type { Schemas } from "../operations.js";

/** Shows the admin key on standard output, as soon as it is created and nowhere else: the start may fail after that. */
export function adminKeyNotice(text: string): string {
  return [
    "",
    "This is the admin key. It creates and revokes the keys of callers. Store it now, because it is not shown again:",
    "",
    `  ${text}`,
    "",
    "",
  ].join("\n");
}

/**
 * The greeting on standard output after the start.
 *
 * @param runKey The key that was created for this run, which is shown here and nowhere else.
 */
export function welcome(
  url: string,
  models: readonly Schemas["Model"][],
  runKey: string | undefined,
): string {
  const lines = [
    "",
    `Model Gateway is listening on ${url}`,
    `The reference and the guides are at ${url}/docs/`,
    "",
  ];
  if (runKey === undefined) return `${lines.join("\n")}\n`;
  const ready = models.filter(({ status }) => status === "ready");
  const example = ready.find(({ type }) => type === "embedding") ?? ready[0] ?? models[0];
  const request =
    example?.type === "image"
      ? { path: "/v1/images/generations", body: { model: example.id, prompt: "a red fox in the snow" } }
      : { path: "/v1/embeddings", body: { model: example?.id ?? "", input: "The cat sat on the mat." } };
  lines.push(
    "The configuration has no key, so one was created for this run. Try it:",
    "",
    `  curl ${url}${request.path} \\`,
    `    -H "Authorization: Bearer ${runKey}" \\`,
    '    -H "Content-Type: application/json" \\',
    `    -d '${JSON.stringify(request.body)}'`,
    "",
  );
  return `${lines.join("\n")}\n`;
}
