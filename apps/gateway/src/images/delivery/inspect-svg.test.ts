import { expect, test } from "vitest";
import { inspectSvg, svgBytesMax } from "./inspect-svg.js";

const inspect = (text: string) => inspectSvg(Buffer.from(text));
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
])("an SVG with %s", (_name, text, size) => {
  expect(inspect(text)).toEqual(size);
});

test("an SVG may have a byte order mark, a prologue, comments, character data and instructions", () => {
  const text = `\uFEFF<?xml version="1.0" encoding="UTF-8"?>
    <!-- made by a > model -->
    <!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
    <svg width="10" height="10"><style><![CDATA[ a > b { fill: "<script>" } ]]></style>
    <?note a?><text x = '1' y="2">5 &lt; 6 <tspan/></text></svg>
    <!-- the end -->`;

  expect(inspect(text)).toEqual({ width: 10, height: 10 });
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
  ["endless nesting", `<svg>${"<g>".repeat(1001)}`, "The SVG is nested too deeply."],
])("an SVG that is or has %s is refused", (_name, text, message) => {
  expect(() => inspect(text)).toThrow(message);
});

test("data that is not UTF-8 is refused", () => {
  expect(() => inspectSvg(Buffer.from("<svg>\xe9</svg>", "latin1"))).toThrow("The SVG is not UTF-8.");
});

test("a text over the limit is refused before it is read", () => {
  const padding = "a".repeat(svgBytesMax);

  expect(() => inspect(`<svg><text>${padding}</text></svg>`)).toThrow(`more than ${svgBytesMax} bytes`);
});

const long = svgBytesMax - 100;
test.each([
  ["one text", `<svg><text>${"a".repeat(long)}</text></svg>`],
  ["one attribute", `<svg><image href="data:${"a".repeat(long)}"/></svg>`],
  ["a tag full of attributes", `<svg><g${" a='b'".repeat(long / 6)}/></svg>`],
  ["elements", `<svg>${"<g></g>".repeat(long / 7)}</svg>`],
  ["spaces in a tag", `<svg><g${" ".repeat(long)}/></svg>`],
])("an SVG as large as it may be, all %s, is read", (_name, text) => {
  expect(inspect(text)).toEqual({});
});
