import { expect, test } from "vitest";
import { html } from "./html.js";

test("values are escaped, in text and in attributes", () => {
  const name = `<img src=x onerror="alert('1')">`;

  expect(html`<p title="${name}">${name} & more</p>`.text).toBe(
    '<p title="&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;">' +
      "&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; & more</p>",
  );
});

test("HTML, lists and absent values are inserted as they are", () => {
  const items = ["a", "<b>"].map((item) => html`<li>${item}</li>`);

  expect(html`<ul>${items}</ul>${undefined}${false}${0}`.text).toBe("<ul><li>a</li><li>&lt;b&gt;</li></ul>0");
});
