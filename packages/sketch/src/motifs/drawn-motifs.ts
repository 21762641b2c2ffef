/** The sections of the emoji set. They decide the place of a motif if the prompt names none. */
export type MotifSection = "nature" | "people" | "travel" | "things";

/** One drawing on a square of 32 by 32. */
export interface Motif {
  readonly name: string;
  readonly svg: string;
  readonly section: MotifSection;
}

/** Popular motifs that the emoji set lacks, drawn in its style. */
export const drawnMotifs: readonly Motif[] = [
  {
    name: "hot-air-balloon",
    section: "travel",
    svg: `<path fill="#f8312f" d="M16 1C9.4 1 4.5 5.8 4.5 11.8c0 5.2 4.7 9.4 8 12.2h7c3.3-2.8 8-7 8-12.2C27.5 5.8 22.6 1 16 1z"/>
<path fill="#ffb02e" d="M16 1c-4.2 0-7 4.8-7 10.8 0 5.2 2.6 9.4 4.6 12.2h4.8c2-2.8 4.6-7 4.6-12.2C23 5.8 20.2 1 16 1z"/>
<path fill="#fff3d6" d="M16 1c-1.7 0-3 4.8-3 10.8 0 5.2 1 9.4 1.9 12.2h2.2c.9-2.8 1.9-7 1.9-12.2C19 5.8 17.7 1 16 1z"/>
<path fill="none" stroke="#6d4534" stroke-width=".5" d="M13 24l.7 3.3M19 24l-.7 3.3"/>
<path fill="#a56953" d="M13 27h6v2.7c0 .8-.6 1.3-1.3 1.3h-3.4c-.7 0-1.3-.5-1.3-1.3z"/><path fill="#6d4534" d="M12.7 26.8h6.6v1h-6.6z"/>`,
  },
  {
    name: "lighthouse",
    section: "travel",
    svg: `<path fill="#fff7d1" opacity=".7" d="M16 6.5L0 2.5v8zM16 6.5l16-4v8z"/>
<path fill="#f4f4f4" d="M12.6 9h6.8L21.5 30h-11z"/><path fill="#f8312f" d="M12.2 13h7.6l.4 4h-8.4zM11.4 21h9.2l.4 4h-10z"/>
<path fill="#433b6b" d="M11.5 8.5h9V10h-9zM12.8 3.8L16 1l3.2 2.8z"/><path fill="#fcd53f" d="M13.3 3.8h5.4v4.7h-5.4z"/>
<path fill="#6d4534" d="M14.7 26.5c0-1.7 2.6-1.7 2.6 0V30h-2.6z"/><path fill="#8d8d93" d="M8 30h16v1.5H8z"/>`,
  },
  {
    name: "windmill",
    section: "travel",
    svg: `<path fill="#ffe0b3" d="M12 12h8l2.5 19h-13z"/><path fill="#a5452f" d="M11.3 12.5c0-6.5 9.4-6.5 9.4 0z"/>
<path fill="#6d4534" d="M14.5 26c0-2 3-2 3 0v5h-3z"/><circle cx="16" cy="18.5" r="1.4" fill="#4aa8e8"/>
<g fill="#fff" stroke="#8a5a3b" stroke-width=".6"><path d="M16 10.5l9-6 2 3zM16 10.5l6 9-3 2zM16 10.5l-9 6-2-3zM16 10.5l-6-9 3-2z"/></g>
<circle cx="16" cy="10.5" r="1.3" fill="#8a5a3b"/>`,
  },
  {
    name: "fireworks",
    section: "nature",
    svg: burst(11, 12, 10, "#fcd53f") + burst(23, 9, 7.5, "#ff5fa2") + burst(20, 23, 7, "#5ad1ff"),
  },
];

function burst(x: number, y: number, reach: number, colour: string): string {
  const rays = Array.from({ length: 14 }, (_, ray) => {
    const angle = (ray / 14) * 2 * Math.PI;
    const at = (distance: number): string =>
      `${(x + Math.cos(angle) * distance).toFixed(2)} ${(y + Math.sin(angle) * distance).toFixed(2)}`;
    return `M${at(reach * 0.3)}L${at(reach * (ray % 2 === 0 ? 0.95 : 0.7))}`;
  });
  return `<path fill="none" stroke="${colour}" stroke-width=".8" stroke-linecap="round" d="${rays.join("")}"/>
<circle cx="${x}" cy="${y}" r="${reach * 0.12}" fill="#fff"/>`;
}

/** Animals of which the emoji set has only the head, with the colours for fur and belly. */
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

/** Adds a sitting body to a head. */
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
