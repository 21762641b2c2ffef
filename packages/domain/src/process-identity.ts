/** This process, and a check whether another one is alive. */
export interface ProcessIdentity {
  readonly id: number;
  readonly isAlive: (id: number) => boolean;
}

/** Whether a process has left something behind. Our own id was then that of an earlier process. */
export function hasDied(id: number, self: ProcessIdentity): boolean {
  return id === self.id || !self.isAlive(id);
}
