import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import { asked, boundary, encode, file, image, type Part, text } from "./write-form.js";

const signature = tinyPng.subarray(0, 8);

/** Each of these is refused, whatever the upstream would do. */
export const badForms: readonly (readonly [string, readonly Part[]])[] = [
  ["a form of nothing", []],
  ["a form without its image", asked],
  ["a form without its prompt", [text("model", "image"), image("image")]],
  ["image[__proto__] as text", [...asked, text("image[__proto__]", "x")]],
  ["image[__proto__] as a file", [...asked, image("image[__proto__]")]],
  ["image[a][b][c] as a file", [...asked, image("image[a][b][c]")]],
  ["image[0][0] as a file", [...asked, image("image[0][0]")]],
  ["image[-1] as a file", [...asked, image("image[-1]")]],
  ["__proto__ as text", [...asked, image("image"), text("__proto__", "x")]],
  ["__proto__[polluted] as text", [...asked, image("image"), text("__proto__[polluted]", "x")]],
  [
    "constructor[prototype][polluted] as text",
    [...asked, image("image"), text("constructor[prototype][polluted]", "x")],
  ],
  ["a[__proto__][polluted] as text", [...asked, image("image"), text("a[__proto__][polluted]", "x")]],
  ["constructor as text", [...asked, image("image"), text("constructor", "x")]],
  ["constructor as a file", [...asked, image("image"), image("constructor")]],
  ["__proto__ as a file", [...asked, image("image"), image("__proto__")]],
  ["a name of brackets", [...asked, image("image"), text("[".repeat(90), "x")]],
  ["a name of nested brackets", [...asked, image("image"), text(`a${"[b]".repeat(30)}`, "x")]],
  ["an index past all bounds", [...asked, image("image"), text("n[4294967295]", "1")]],
  ["a name of a hundred letters and more", [...asked, image("image"), text("a".repeat(5000), "x")]],
  ["an empty name", [...asked, image("image"), text("", "x")]],
  ["no name", [...asked, image("image"), ["content-disposition: form-data", "x"]]],
  [
    "no name for a file",
    [...asked, ['content-disposition: form-data; filename="a.png"\r\ncontent-type: image/png', tinyPng]],
  ],
  ["an unknown field", [...asked, image("image"), text("sampler", "1")]],
  ["an unknown file", [...asked, image("image"), image("video")]],
  ["18 images", [...asked, ...Array<Part>(18).fill(image("image"))]],
  ["17 images", [...asked, ...Array<Part>(17).fill(image("image"))]],
  ["two masks", [...asked, image("image"), image("mask"), image("mask")]],
  ["10,000 empty parts", Array<Part>(10_000).fill(["", ""])],
  ["10,000 fields", Array<Part>(10_000).fill(text("user", "x"))],
  [
    "65 fields",
    [...asked, image("image"), ...Array.from({ length: 65 }, (_, index) => text(`f${index}`, "x"))],
  ],
  ["a field past its limit", [...asked, image("image"), text("user", "a".repeat(300_000))]],
  ["an image past its limit", [...asked, file("image", Buffer.concat([tinyPng, Buffer.alloc(200_000)]))]],
  ["an empty image", [...asked, file("image", Buffer.alloc(0))]],
  ["half a signature", [...asked, file("image", signature.subarray(0, 5))]],
  ["an image of another kind", [...asked, file("image", Buffer.from("GIF89a"))]],
  ["an SVG", [...asked, file("image", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))]],
  ["a mask of noise", [...asked, image("image"), file("mask", Buffer.from("noise"))]],
  [
    "a header of 100,000 letters",
    [
      ...asked,
      [
        `content-disposition: form-data; name="image"; filename="a"\r\nx-large: ${"a".repeat(100_000)}`,
        tinyPng,
      ],
    ],
  ],
  ["an invalid header", [...asked, image("image"), ["no colon at all", "x"]]],
  [
    "a disposition of another kind",
    [text("model", "image"), ['content-disposition: attachment; name="prompt"', "x"], image("image")],
  ],
  [
    "a mask without a filename",
    [
      ...asked,
      image("image"),
      ['content-disposition: form-data; name="mask"\r\ncontent-type: application/octet-stream', tinyPng],
    ],
  ],
  ["a mask with an empty filename", [...asked, image("image"), file("mask", tinyPng, "")]],
  [
    "an unknown file without a filename",
    [
      ...asked,
      image("image"),
      ['content-disposition: form-data; name="sampler"\r\ncontent-type: application/octet-stream', "1"],
    ],
  ],
];

/** File names are never used, so that nothing in them can matter. */
export const oddForms: readonly (readonly [string, readonly Part[]])[] = [
  ...[
    "../../../../tmp/evil",
    "/etc/passwd",
    "..\\..\\evil",
    "a%00.png",
    "a\u0000.png",
    "CON",
    'a\\"b.png',
    "%0d%0ax-injected: 1",
    "\u00e9.png",
    "a".repeat(5000),
    ".",
    "..",
    "~",
  ].map(
    (filename) =>
      [`the filename ${filename.slice(0, 20)}`, [...asked, file("image", tinyPng, filename)]] as const,
  ),
  [
    "filename* of RFC 5987",
    [...asked, ["content-disposition: form-data; name=\"image\"; filename*=UTF-8''%ZZ%00", tinyPng]],
  ],
  [
    "a folded filename",
    [...asked, ['content-disposition: form-data; name="image";\r\n filename="a.png"', tinyPng]],
  ],
  [
    "a thousand headers",
    [
      ...asked,
      [
        `content-disposition: form-data; name="image"; filename="a"\r\n${"x: 1\r\n".repeat(1000)}x: 2`,
        tinyPng,
      ],
    ],
  ],
  [
    "a charset that does not exist",
    [
      ...asked,
      image("image"),
      ['content-disposition: form-data; name="user"\r\ncontent-type: text/plain; charset=x-none', "x"],
    ],
  ],
  [
    "UTF-16 in a field",
    [
      ...asked,
      image("image"),
      [
        'content-disposition: form-data; name="user"\r\ncontent-type: text/plain; charset=utf-16le',
        Buffer.from("x", "utf16le"),
      ],
    ],
  ],
  [
    "base64 in a field",
    [
      ...asked,
      image("image"),
      ['content-disposition: form-data; name="user"\r\ncontent-transfer-encoding: base64', "eA=="],
    ],
  ],
  ["image[99999999999999999999]", [...asked, image("image[99999999999999999999]")]],
  ["image[] and image[1] and image", [...asked, image("image[]"), image("image[1]"), image("image")]],
  ["null bytes in a prompt", [text("model", "image"), text("prompt", "\u0000"), image("image")]],
];

const whole = encode([...asked, image("image")]).toString("latin1");
/** Bodies that are not made of parts. */
export const badBodies: readonly (readonly [string, Buffer])[] = [
  ["JSON in a form", '{"model":"image"}'],
  ["no first boundary", whole.slice(whole.indexOf("\r\n") + 2)],
  ["no last boundary", whole.slice(0, whole.lastIndexOf(`--${boundary}--`))],
  ["only the last boundary", `--${boundary}--\r\n`],
  ["a form after its end", whole + whole],
  ["line feeds alone", whole.replaceAll("\r\n", "\n")],
  ["a boundary with a space", whole.replaceAll(`--${boundary}`, `-- ${boundary}`)],
  [
    "a form in a form",
    encode([
      [
        'content-disposition: form-data; name="image"\r\ncontent-type: multipart/mixed; boundary=inner',
        `--inner\r\n\r\nx\r\n--inner--`,
      ],
    ]).toString("latin1"),
  ],
  ["a hundred thousand dashes", "-".repeat(100_000)],
  ["boundaries alone", `--${boundary}\r\n`.repeat(5000)],
  ["headers that never end", `--${boundary}\r\n${"x: 1\r\n".repeat(20_000)}`],
].map(([name = "", body = ""]) => [name, Buffer.from(body, "latin1")]);
