/** Nobody is at the other end: what is sent there is taken out of the sender's hands, and is gone. */
const nowhere = new MessageChannel().port1;
nowhere.close();

/** Frees memory at once, without V8 having to look for it. Whatever still looks at it finds it empty. */
export function detach(buffers: readonly ArrayBuffer[]): void {
  try {
    nowhere.postMessage(undefined, buffers);
  } catch {
    // Where one of them can not be sent, all are left to V8.
  }
}
