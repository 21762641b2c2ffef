import { inSlices, TimeSlice } from "@model-gateway/runtime/time-slice";
import { expect, test } from "vitest";
import { svgBytesMax, walkSvg } from "./inspect-svg.js";

const read = (content: Buffer) => inSlices(walkSvg(content), new TimeSlice());
const inspect = async (text: string) => {
  const { hasManifest: _hasManifest, ...size } = await read(Buffer.from(text));
  return size;
};
const namespace = 'xmlns="http://www.w3.org/2000/svg"';

test.each([
  ["its own size", `<svg ${namespace} width="300" height="200.4px"><g/></svg>`, { width: 300, height: 200 }],
  ["a view box", `<svg viewBox="0 0 64, 32"><g/></svg>`, { width: 64, height: 32 }],
  [
    "a relative size and a view box",
    `<svg width='100%' height='1em' viewBox='0 0 9 8'> </svg>`,
    { width: 9, height: 8 },
  ],
  ["no size", "<svg><path d='M0 0'/></svg>", {}],
  ["a size of 0", `<svg width="0" height="0"></svg>`, {}],
  ["an absurd size", `<svg width="1e99" height="99999999999"></svg>`, {}],
])("an SVG with %s", async (_name, text, size) => {
  expect(await inspect(text)).toEqual(size);
});

test("an SVG may have a byte order mark, a prologue, comments, character data and instructions", async () => {
  const text = `\uFEFF<?xml version="1.0" encoding="UTF-8"?>
    <!-- made by a > model -->
    <!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
    <svg width="10" height="10"><style><![CDATA[ a > b { fill: "<script>" } ]]></style>
    <?note a?><text x = '1' y="2">5 &lt; 6 <tspan/></text></svg>
    <!-- the end -->`;

  expect(await inspect(text)).toEqual({ width: 10, height: 10 });
});

test.each([
  ["nothing", "", "The SVG is truncated or empty."],
  ["spaces", "   ", "The SVG is truncated or empty."],
  ["a prologue alone", `<?xml version="1.0"?>`, "The SVG is truncated or empty."],
  ["an empty root", "<svg/>", "The data is not one SVG element."],
  ["a page", "<html><svg></svg></html>", "The data is not one SVG element."],
  ["another root that begins alike", "<svgs></svgs>", "The data is not one SVG element."],
  ["two roots", "<svg></svg><svg></svg>", "The data is not one SVG element."],
  ["text before the root", "Here is it: <svg></svg>", "The SVG has text outside its root element."],
  ["text after the root", "<svg></svg> Done!", "The SVG has text outside its root element."],
  ["a fence of Markdown", "```svg\n<svg></svg>\n```", "The SVG has text outside its root element."],
  ["no end", "<svg><g>", "The SVG is truncated or empty."],
  ["an open tag", "<svg><path d='M0 0", "The SVG is truncated."],
  ["an open comment", "<svg><!-- </svg>", "The SVG is truncated."],
  ["crossed tags", "<svg><a><b></a></b></svg>", "The SVG has a misplaced end tag."],
  ["a damaged tag", "<svg><g <></svg>", "The SVG has a damaged tag."],
  ["entities", `<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>`, "The SVG has internal declarations."],
  ["a script", "<svg><script>alert(1)</script></svg>", "The SVG has a script element."],
  ["a script with a prefix", "<svg><svg:SCRIPT href='a'/></svg>", "The SVG has a script element."],
  ["a page inside", "<svg><foreignObject/></svg>", "The SVG has a foreignobject element."],
  ["an event handler", `<svg onload="alert(1)"></svg>`, "The SVG has an event handler."],
  ["a script link", `<svg><a xlink:href=" javascript:alert(1)"/></svg>`, "The SVG has a script link."],
  ["a style sheet", `<?xml-stylesheet href="a.xsl"?><svg></svg>`, "The SVG has a style sheet instruction."],
  ["a form feed in a tag", "<svg><g\fonload='a'/></svg>", "The SVG has a damaged tag."],
  ["attributes without a space", "<svg><g a='b'c='d'/></svg>", "The SVG has a damaged tag."],
  [
    "a control before a script link",
    "<svg><a href='\u0001JavaScript:a'/></svg>",
    "The SVG has a script link.",
  ],
  ["a long document type", `<!DOCTYPE ${"a".repeat(1000)}><svg></svg>`, "The SVG has internal declarations."],
  ["endless nesting", `<svg>${"<g>".repeat(1001)}`, "The SVG is nested too deeply."],
])("an SVG that is or has %s is refused", async (_name, text, message) => {
  await expect(inspect(text)).rejects.toThrow(message);
});

test("letters outside ASCII are text, names and values", async () => {
  expect(
    await inspect("<svg width='3' height='4' größe='ü'><title>\u{1f98a} – \u00a0</title></svg>"),
  ).toEqual({
    width: 3,
    height: 4,
  });
});

test("a manifest store is an element, and not a text that looks like one", async () => {
  const metadata = (content: string) =>
    read(Buffer.from(`<svg xmlns:c2pa="http://c2pa.org/manifest"><metadata>${content}</metadata></svg>`));

  expect(await metadata("<c2pa:manifest>AAAA</c2pa:manifest>")).toEqual({ hasManifest: true });
  expect(await metadata("<!-- <c2pa:manifest> -->")).toEqual({ hasManifest: false });
});

test("data that is not UTF-8 is refused", async () => {
  await expect(read(Buffer.from("<svg>\xe9</svg>", "latin1"))).rejects.toThrow("The SVG is not UTF-8.");
});

test("a text over the limit is refused before it is read", async () => {
  const padding = "a".repeat(svgBytesMax);

  await expect(inspect(`<svg><text>${padding}</text></svg>`)).rejects.toThrow(
    `more than ${svgBytesMax} bytes`,
  );
});

const long = svgBytesMax - 100;
test.each([
  ["one text", `<svg><text>${"a".repeat(long)}</text></svg>`],
  ["one attribute", `<svg><image href="data:${"a".repeat(long)}"/></svg>`],
  ["a tag full of attributes", `<svg><g${" a='b'".repeat(long / 6)}/></svg>`],
  ["elements", `<svg>${"<g></g>".repeat(long / 7)}</svg>`],
  ["empty elements", `<svg>${"<g/>".repeat(long / 4)}</svg>`],
  ["comments", `<svg>${"<!---->".repeat(long / 7)}</svg>`],
  ["one comment of dashes", `<svg><!--${"- ".repeat(long / 2)}--></svg>`],
  ["one value of spaces", `<svg href="${" ".repeat(long)}"></svg>`],
  ["spaces in a tag", `<svg><g${" ".repeat(long)}/></svg>`],
  ["spaces after its end", `<svg></svg>${" ".repeat(long)}`],
])("an SVG as large as it may be, all %s, is read", async (_name, text) => {
  expect(await inspect(text)).toEqual({});
});
