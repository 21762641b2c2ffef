import { createPrivateKey, sign } from "node:crypto";
import { type Signer, signImage } from "@model-gateway/content-credentials/test/sign-image";
import { maskPng } from "../../src/images/test/mask-png.js";

// A fuzzer finds the same text again by its seed, so these have the same bytes in every run.

/** A PNG of two pixels, one of them transparent. */
export const png = maskPng("rgba8", [255, 0]);

/** The header of JFIF, that of one pixel, and the end. */
export const jpeg = Buffer.concat([
  Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]),
  Buffer.from("JFIF\0\x01\x01\0\0\x01\0\x01\0\0", "latin1"),
  Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0, 0xff, 0xda, 0, 8, 1, 1, 0, 0, 0x3f, 0]),
  Buffer.from([0x7f, 0xff, 0xd9]),
]);

/** One transparent pixel without losses, in the extended format. */
export const webp = Buffer.concat([
  Buffer.from("RIFF\x2c\0\0\0WEBPVP8X\x0a\0\0\0\x10\0\0\0\0\0\0\0\0\0", "latin1"),
  Buffer.from("VP8L\x0d\0\0\0\x2f\0\0\0\x10\x07\x10\x11\x11\x88\x88\xfe\x07\0", "latin1"),
]);

export const gif = Buffer.from(
  "GIF89a\x01\0\x01\0\x80\0\0\xff\xff\xff\0\0\0\x21\xf9\x04\0\0\0\0\0\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0\x3b",
  "latin1",
);

/** Its signatures are the same each time, other than those of elliptic curves with P-256. */
const key = createPrivateKey({
  key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, 7)]),
  format: "der",
  type: "pkcs8",
});
/** Of that key. No one trusts it. */
const certificate =
  "MIIBZjCCARigAwIBAgIBATAFBgMrZXAwMTEZMBcGA1UECgwQVGVzdCBJbWFnZXMgSW5jLjEUMBIGA1UEAwwLVGVzdCBzaWduZXIwIBcNMjYxMTE5" +
  "MTAyMDMzWhgPMjEyNjEwMjYxMDIwMzNaMDExGTAXBgNVBAoMEFRlc3QgSW1hZ2VzIEluYy4xFDASBgNVBAMMC1Rlc3Qgc2lnbmVyMCowBQYDK2Vw" +
  "AyEA6kpsY+KcUgq+9VB7Ey7F+ZVHdq6+vnuSQh7qaRRG0iyjUzBRMB0GA1UdDgQWBBRMXs5AI6A0HuKs/8xNFxVKhU8C5TAfBgNVHSMEGDAWgBRM" +
  "Xs5AI6A0HuKs/8xNFxVKhU8C5TAPBgNVHRMBAf8EBTADAQH/MAUGAytlcANBADZt5QQdwEMQOrtw0RBY4qr2eFcA4Er3qPu0zxfh+rpwi31l3uEV" +
  "TezxIyZnlw4S4LHNlDk66FnjeAlsORAwMQ0=";
export const signer: Signer = {
  certificate: Buffer.from(certificate, "base64"),
  algorithm: -8,
  sign: (message) => sign(null, message, key),
};

export const signed = [
  signImage(png, signer, { format: "png" }),
  signImage(jpeg, signer, { format: "jpeg", version: 1 }),
  signImage(webp, signer, { format: "webp" }),
];
