import type { Schemas } from "../operations.js";

/** The greeting on standard output after the start. Created keys are shown here and nowhere else. */
export function welcome(
  url: string,
  models: readonly Schemas["Model"][],
  { runKey, createdAdminKey }: { runKey: string | undefined; createdAdminKey: string | undefined },
): string {
  const lines = [
    "",
    `Model Gateway is listening on ${url}`,
    `The reference and the guides are at ${url}/docs/`,
    "",
  ];
  if (createdAdminKey !== undefined) lines.push(...adminKeyLines(createdAdminKey));
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

/** What is printed if the admin key is created after the greeting, because the database was away. */
export function adminKeyNotice(createdAdminKey: string): string {
  return `${["", ...adminKeyLines(createdAdminKey)].join("\n")}\n`;
}

function adminKeyLines(createdAdminKey: string): string[] {
  return [
    "This is the admin key. It creates and revokes the keys of callers. Store it now, because it is not shown again:",
    "",
    `  ${createdAdminKey}`,
    "",
  ];
}
