import type { ReactNode } from "react";

export interface Tile {
  readonly label: string;
  readonly value: ReactNode;
  readonly note?: ReactNode;
  /** The address of what the figure counts. */
  readonly link?: string | undefined;
}

/** The figures that one looks at first. */
export function Tiles({ tiles }: { readonly tiles: readonly Tile[] }) {
  return (
    <dl className="tiles">
      {tiles.map(({ label, value, note, link }) => (
        <div className="tile" key={label}>
          <dt>{link === undefined ? label : <a href={link}>{label}</a>}</dt>
          <dd className={isLong(value) ? "long" : undefined}>{value}</dd>
          {note !== undefined && <dd className="note">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}

/** Whether it needs smaller letters to fit. */
function isLong(value: ReactNode): boolean {
  return typeof value === "string" && value.length > 8;
}
