import { UncheckedManifest } from "./manifest-fault.js";

/** Boxes and CBOR values. Manifests of real images have some hundred. */
const itemsMax = 8000;
/** The bytes of texts, and of strings in pieces. Thumbnails and hashes are not copied. */
const copiedBytesMax = 1024 * 1024;

/**
 * The limits that all parts of one manifest share: each part alone could be small. Every item takes memory and time, and
 * an empty piece of a string is one too.
 */
export class ManifestBudget {
  #itemsLeft = itemsMax;
  #copiedBytesLeft = copiedBytesMax;

  /** Call it before an item is made. */
  countItem(): void {
    this.#itemsLeft -= 1;
    if (this.#itemsLeft < 0) throw new UncheckedManifest(`The manifest has more than ${itemsMax} values.`);
  }

  /** Call it before bytes are copied. */
  countCopy(bytes: number): void {
    this.#copiedBytesLeft -= bytes;
    if (this.#copiedBytesLeft < 0)
      throw new UncheckedManifest(`The manifest has more than ${copiedBytesMax} bytes of text.`);
  }
}
