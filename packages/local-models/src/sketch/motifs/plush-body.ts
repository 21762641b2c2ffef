/** Animals of which the picture set has only the head, with the colours of fur and belly. */
const heads: ReadonlyMap<string, readonly [fur: string, belly: string]> = new Map([
  ["bear", ["#8c5543", "#d3883e"]],
  ["fox", ["#ff822d", "#ffdea7"]],
  ["frog", ["#00d26a", "#c6f5d8"]],
  ["hamster", ["#ffa756", "#ffe8cf"]],
  ["koala", ["#9b9b9b", "#e6e6e6"]],
  ["lion", ["#ffb02e", "#ffe0a3"]],
  ["panda", ["#3b2f4a", "#ffffff"]],
  ["polar-bear", ["#f1eef4", "#ffffff"]],
  ["raccoon", ["#7d7d7d", "#d3d3d3"]],
  ["wolf", ["#8d8d93", "#e2e2e6"]],
]);

/** A head gets a sitting body, so that it does not lie in the grass by itself. */
export function giveBody(name: string, head: string): string {
  const colours = heads.get(name);
  if (colours === undefined) return head;
  const [fur, belly] = colours;
  return `<path fill="${fur}" d="M16 14c-5.6 0-8.4 5-8.4 10.5 0 4.5 3.2 7 8.4 7s8.4-2.5 8.4-7C24.4 19 21.6 14 16 14z"/>
<ellipse cx="16" cy="25.5" rx="4.7" ry="5.3" fill="${belly}"/>
<g fill="${fur}"><ellipse cx="10.2" cy="30" rx="3.3" ry="1.9"/><ellipse cx="21.8" cy="30" rx="3.3" ry="1.9"/></g>
<g fill="#000" opacity=".12"><ellipse cx="10.2" cy="30" rx="3.3" ry="1.9"/><ellipse cx="21.8" cy="30" rx="3.3" ry="1.9"/></g>
<g transform="translate(4.8 -.5) scale(.7)">${head}</g>`;
}
