/**
 * The fate of an image's content credentials, its C2PA manifest: delivered with the bytes that the upstream signed,
 * removed by a conversion, or never there.
 */
export type ContentCredentials = "preserved" | "removed" | "none";

/** Whether an image with credentials may be converted. */
export const contentCredentialsSettings = ["keep", "convert"] as const;
export type ContentCredentialsSetting = (typeof contentCredentialsSettings)[number];

const gravest: readonly ContentCredentials[] = ["removed", "preserved", "none"];

/** One word for several images. A removal counts most: one image without its credentials must not go unnoticed. */
export function combineCredentials(
  all: readonly (ContentCredentials | undefined)[],
): ContentCredentials | undefined {
  return gravest.find((one) => all.includes(one));
}

export function isContentCredentials(value: unknown): value is ContentCredentials {
  return gravest.some((one) => one === value);
}
