/** Azure has two surfaces: v1 has the model in the body, classic has the deployment in the path and wants a date. */
type Surface = "v1" | "classic";

interface SurfaceSettings {
  readonly surface?: Surface | undefined;
  readonly apiVersion?: string | undefined;
}

/** The Azure path of a request. */
type PathOf = (operationPath: string, deployment: string) => string;

/** Every version since then has embeddings, but only the preview has the gpt-image models and edits. */
const classicVersion = "2024-10-21";
const classicImagesVersion = "2025-04-01-preview";
/** The document of v1 itself has no images: its preview has. */
const v1ImagesVersion = "preview";
/** It has no deployment, so it is on v1 whatever the settings are. */
const provenancePath = "/content_provenance_checks";

/**
 * Resolves the paths once. Without settings each operation goes where Microsoft documents it: embeddings to v1, images to
 * the preview of v1, edits to classic. Checks of provenance go to the preview of v1.
 */
export function createPathOf({ surface, apiVersion }: SurfaceSettings): PathOf {
  const fixed = surface ?? (apiVersion === undefined ? undefined : surfaceOfVersion(apiVersion));
  return (path, deployment) => {
    if (path === provenancePath)
      return `/openai/v1${path}?api-version=${fixed === "v1" ? (apiVersion ?? v1ImagesVersion) : v1ImagesVersion}`;
    const isImage = path.startsWith("/images/");
    const used = fixed ?? (path === "/images/edits" ? "classic" : "v1");
    if (used === "v1") {
      const version = apiVersion ?? (isImage ? v1ImagesVersion : undefined);
      return `/openai/v1${path}${version === undefined ? "" : `?api-version=${version}`}`;
    }
    const version = apiVersion ?? (isImage ? classicImagesVersion : classicVersion);
    return `/openai/deployments/${encodeURIComponent(deployment)}${path}?api-version=${version}`;
  };
}

/** v1 versions are words, classic ones are dates. */
export function surfaceOfVersion(apiVersion: string): Surface {
  return /^\d/.test(apiVersion) ? "classic" : "v1";
}
