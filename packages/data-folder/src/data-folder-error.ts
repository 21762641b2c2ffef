import { isAbsolute, relative, sep } from "node:path";
import { codeOf } from "@model-gateway/domain/failure-code";

/** The data folder cannot be used. Its message is shown to the operator without a stack. */
class DataFolderError extends Error {
  override readonly name = "DataFolderError";
  readonly code = "data_folder_unusable";

  constructor(dataDir: string, reason: string, cause: Error) {
    super(
      `The data folder ${dataDir} cannot be used: ${reason}, or choose another folder with DATA_DIR or dataDir in the configuration. (${cause.message})`,
      { cause },
    );
  }
}

/** A failure of the start, as a sentence for the operator if it or its cause is about the data folder. */
export function explainDataFolder(failure: unknown, dataDir: string): unknown {
  for (let cause = failure; cause instanceof Error; cause = cause.cause) {
    const reason = reasons[codeOf(cause)];
    if (reason !== undefined && isAbout(cause, dataDir)) return new DataFolderError(dataDir, reason, cause);
  }
  return failure;
}

const noRights = "the user of the gateway may not write to it. Change its owner or its rights";
const notFolder = "a part of its path is a file. Remove that file";

/** By the code of Node's failure: the reason, and what to do. */
const reasons: Readonly<Record<string, string>> = {
  EROFS: "its file system is read-only. Mount it writable",
  EACCES: noRights,
  EPERM: noRights,
  ENOTDIR: notFolder,
  EEXIST: notFolder,
  ENOENT: "a part of its path cannot be created. Create it by hand",
};

/** An address that may not be listened on has the same codes, and no path. */
function isAbout(failure: Error, dataDir: string): boolean {
  if (!("path" in failure)) return false;
  const path = String(failure.path);
  return isWithin(path, dataDir) || isWithin(dataDir, path);
}

function isWithin(path: string, folder: string): boolean {
  const steps = relative(folder, path);
  return !isAbsolute(steps) && steps.split(sep)[0] !== "..";
}
