import { inSlices, TimeSlice } from "@model-gateway/runtime/time-slice";
import { describe, expect, test } from "vitest";
import { flac, mp3, mp4, ogg, packedPdf, pdf, wav, webm } from "../../../test/sample-media.js";
import { measureMedia, recogniseMedia } from "./measure-media.js";

async function measure(file: Buffer) {
  const format = recogniseMedia(file.subarray(0, 1024));
  const facts = format && (await inSlices(measureMedia(file, format), new TimeSlice()));
  return { format, ...facts };
}

describe("a file is known by its bytes, and measured:", () => {
  test.each<[string, Buffer, object]>([
    ["a PDF", pdf(3), { format: "pdf", amount: 3 }],
    ["a PDF behind other bytes", Buffer.concat([Buffer.from("\r\n"), pdf(1)]), { format: "pdf", amount: 1 }],
    ["a PDF whose objects are compressed", packedPdf(7), { format: "pdf", amount: 7 }],
    ["a PDF of very many pages", pdf(1200), { format: "pdf", amount: 1001 }],
    [
      "a PDF that was changed at its end",
      Buffer.concat([
        pdf(3),
        Buffer.from(
          "2 0 obj\n<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>\nendobj\ntrailer << /Root 1 0 R >>",
        ),
      ]),
      { format: "pdf", amount: 2 },
    ],
    ["a WAV", wav(2.5), { format: "wav", amount: 2.5 }],
    ["an MP3 with a tag", mp3(3.6), { format: "mp3", amount: expect.closeTo(3.6, 6) }],
    ["an MP3 without one", mp3(3.6).subarray(20), { format: "mp3", amount: expect.closeTo(3.6, 6) }],
    ["a FLAC", flac(4), { format: "flac", amount: 4 }],
    ["an Ogg", ogg(1.5), { format: "ogg", amount: 1.5 }],
    ["an MP4", mp4(12), { format: "mp4", amount: 12, hasSound: false }],
    ["an MP4 with sound", mp4(12, { hasSound: true }), { format: "mp4", amount: 12, hasSound: true }],
    ["an MP4 in fragments", mp4(9, { isFragmented: true }), { format: "mp4", amount: 9 }],
    ["a MOV", mp4(2, { brand: "qt  " }), { format: "mov", amount: 2 }],
    [
      "a WebM as a browser records it",
      webm(6, { hasSound: true }),
      { format: "webm", amount: 6, hasSound: true },
    ],
  ])("%s", async (_name, file, facts) => {
    expect(await measure(file)).toMatchObject(facts);
  });
});

describe("a file that does not say how long it is has no amount:", () => {
  const broken = packedPdf(3);
  broken.fill(0, broken.indexOf("stream\r\n") + 8, broken.indexOf("\nendstream"));

  test.each<[string, Buffer]>([
    ["a PDF without a trailer", pdf(3).subarray(0, -60)],
    ["a PDF whose streams cannot be read", broken],
    ["a PDF whose tree leads to nothing", Buffer.from(pdf(3).toString().replace("3 0 obj", "3 0 xbj"))],
    ["a WAV without data", wav(1).subarray(0, 36)],
    ["a WAV without a rate", Buffer.concat([wav(1).subarray(0, 24), Buffer.alloc(8), wav(1).subarray(32)])],
    ["a FLAC that was streamed", flac(0)],
    [
      "an Ogg of another codec",
      Buffer.from(ogg(1).toString("latin1").replace("OpusHead", "OtherOne"), "latin1"),
    ],
    ["an MP4 of sound alone", Buffer.from(mp4(3).toString("latin1").replace("vide", "soun"), "latin1")],
    ["an MP4 cut short", mp4(3).subarray(0, 40)],
    ["a WebM without blocks", webm(6).subarray(0, 107)],
  ])("%s", async (_name, file) => {
    const { format, ...facts } = await measure(file);

    expect([format === undefined, facts]).toEqual([false, {}]);
  });
});

test.each([
  ["text", "hello"],
  ["an image", "\x89PNG\r\n\x1a\n"],
  ["nothing", ""],
  ["Matroska that is no WebM", "\x1a\x45\xdf\xa3\x42\x82\x88matroska"],
])("%s is not recognised", (_name, bytes) => {
  expect(recogniseMedia(Buffer.from(bytes, "latin1"))).toBeUndefined();
});
