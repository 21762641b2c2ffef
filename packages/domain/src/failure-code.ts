/** The code of a failure of Node, such as `ENOENT`. Empty if it has none. */
export function codeOf(failure: unknown): string {
  return failure instanceof Error && "code" in failure ? String(failure.code) : "";
}

/** Whether the disk is full, or the quota used up: of this machine, or of PostgreSQL's, whose code is 53100. */
export function isDiskFull(failure: unknown): boolean {
  return /^(ENOSPC|EDQUOT|SQLITE_FULL|53100)$/.test(codeOf(failure));
}

/** Whether a failure or its cause is a full disk. SQLite says of some of its files that they cannot be read or written. */
export function isFromFullDisk(failure: unknown): boolean {
  if (!(failure instanceof Error)) return false;
  return isDiskFull(failure) || /^SQLITE_(FULL|IOERR)/.test(codeOf(failure)) || isFromFullDisk(failure.cause);
}

/** A missing file is not a failure. */
export function unlessMissing(failure: unknown): undefined {
  if (codeOf(failure) !== "ENOENT") throw failure;
}
