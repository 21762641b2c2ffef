import {
  type Cipher,
  createCipheriv,
  createDecipheriv,
  createHmac,
  type Decipher,
  hash,
  randomBytes,
} from "node:crypto";
import type { ImageFormat } from "@model-gateway/domain/image-profile";

/** 32 hexadecimal digits and the format. Nothing else is a name, so no name leads out of the folder. */
export const imageName = /^[0-9a-f]{32}\.(png|jpeg|webp|gif|svg)$/;

/** The parts of a name, in bytes. */
const randomLength = 8;
const tagLength = 6;
/** Zeros: a name of another secret has others. */
const check = Buffer.alloc(2);

/**
 * The names of images on disk. A name says to which key the image belongs, after a restart and in other processes. Only
 * the gateway can read that: a name is one encrypted block of random bits and a tag of the key. Without the secret, names
 * of one key have nothing in common, and none can be guessed.
 */
export class ImageNames {
  // Each name is one block alone, so there is nothing that a mode could chain, and no state between two names.
  readonly #cipher: Cipher;
  readonly #decipher: Decipher;

  /** @param secret The secret of the links, so that all processes with the folder have it. */
  constructor(secret: Buffer) {
    const key = createHmac("sha256", secret).update("names of stored images").digest();
    this.#cipher = createCipheriv("aes-256-ecb", key, null).setAutoPadding(false);
    this.#decipher = createDecipheriv("aes-256-ecb", key, null).setAutoPadding(false);
  }

  create(owner: string, format: ImageFormat): string {
    const block = Buffer.concat([randomBytes(randomLength), tagOf(owner), check]);
    return `${this.#cipher.update(block, undefined, "hex")}.${format}`;
  }

  /** The tag of the key that an image belongs to. Empty for a name of another secret. */
  ownerOf(file: string): string {
    const [name = ""] = file.split(".");
    const block = this.#decipher.update(name, "hex");
    const checkAt = randomLength + tagLength;
    return block.subarray(checkAt).equals(check) ? block.toString("hex", randomLength, checkAt) : "";
  }
}

function tagOf(owner: string): Buffer {
  return hash("sha256", owner, "buffer").subarray(0, tagLength);
}
