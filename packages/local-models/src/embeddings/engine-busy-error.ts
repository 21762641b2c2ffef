/** More texts wait than the engine may hold; nothing of the refused call was queued. */
export class EngineBusyError extends Error {
  override readonly name = "EngineBusyError";

  constructor(queueMax: number) {
    super(`The local models are busy: at most ${queueMax} texts may wait.`);
  }
}
