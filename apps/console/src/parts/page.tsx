import { type ReactNode, useEffect, useRef } from "react";

interface PageProps {
  readonly title: string;
  readonly lead?: ReactNode;
  /** Shown to the right of the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page of the console. Its title takes the focus when it opens, so that a screen reader says where one is. */
export function Page({ title, lead, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Model Gateway`;
    heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [title]);
  return (
    <>
      <header className="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead !== undefined && <p>{lead}</p>}
        </div>
        {actions}
      </header>
      <div className="stack">{children}</div>
    </>
  );
}
