/** The upstream of `--beside-batch`: this many calls at once, each of which takes this long. */
export const capacity = 8;
export const callMs = 40;
export const inputMs = 1;
export const width = 8;
