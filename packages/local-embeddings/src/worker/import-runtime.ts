/** The ONNX Runtime's module. Published packages and this repository have the same one, in different packages. */
export type Runtime = typeof import("onnxruntime-node");

/**
 * Published, this package has the runtime of one platform as an optional dependency. A clone has `onnxruntime-node`, with
 * the libraries of all platforms; it also serves platforms for which there is no package (decision 0085).
 */
export async function importRuntime(): Promise<Runtime> {
  const platform = `${process.platform}-${process.arch}`;
  try {
    return await importInstalled(`@model-gateway/onnxruntime-${platform}`);
  } catch (failure) {
    if (!isNotInstalled(failure)) throw failure;
  }
  return importInstalled("onnxruntime-node").catch((failure: unknown) => {
    if (!isNotInstalled(failure)) throw failure;
    throw new Error(
      `There is no ONNX Runtime for ${platform}. Install the package onnxruntime-node beside this one.`,
    );
  });
}

/** The name is a variable, so that the compiler does not look for a package that only an install has. */
async function importInstalled(name: string): Promise<Runtime> {
  return (await import(name)) as Runtime;
}

function isNotInstalled(failure: unknown): boolean {
  return failure instanceof Error && "code" in failure && failure.code === "ERR_MODULE_NOT_FOUND";
}
