import { createContext, type ReactNode, useContext, useEffect, useRef } from "react";
import { Icon } from "./icons.js";

/** The address of the guide to the page. */
export const GuideContext = createContext<string | undefined>(undefined);

interface PageProps {
  readonly title: string;
  readonly lead?: ReactNode;
  /** Shown to the right of the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page of the console. Its title takes the focus when it opens, so that a screen reader says where one is. */
export function Page({ title, lead, actions, children }: PageProps) {
  const guide = useContext(GuideContext);
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
          <div className="page-title">
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {guide !== undefined && (
              <a className="guide" href={guide} target="_blank" rel="noopener noreferrer">
                Guide
                <span className="visually-hidden"> to {title}</span>
                <Icon name="external" size={14} />
              </a>
            )}
          </div>
          {lead !== undefined && <p>{lead}</p>}
        </div>
        {actions}
      </header>
      <div className="stack">{children}</div>
    </>
  );
}
