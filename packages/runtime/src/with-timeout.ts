/**
 * Settles as the work does, or as `onLate` does if the work takes longer. It is not cancelled then: that is up to the
 * caller. A process that was busy all that time reads arrived data before it gives up.
 */
export function withTimeout<T, L>(work: Promise<T>, ms: number, onLate: () => L): Promise<T | L> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      try {
        resolve(onLate());
      } catch (failure) {
        reject(failure);
      }
    };
    const timer = setTimeout(() => setImmediate(() => setImmediate(giveUp)), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
