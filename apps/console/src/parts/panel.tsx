import { type ReactNode, useId } from "react";

interface PanelProps {
  readonly title: string;
  /** The address of this content alone. */
  readonly link?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A card with a title. */
export function Panel({ title, link, actions, children }: PanelProps) {
  const id = useId();
  return (
    <section className="panel" aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id}>{link === undefined ? title : <a href={link}>{title}</a>}</h2>
        {actions}
      </div>
      {children}
    </section>
  );
}
