import icon from "@model-gateway/web/icon.svg";
import type { ReactNode } from "react";
import { gatewayRoot } from "./session-client.js";

/** The header of the console. The docs and the reference have the same: `apps/docs/frame/site-header.ts`. */
export function SiteBar({ children }: { readonly children?: ReactNode }) {
  return (
    <header className="bar">
      <a className="brand" href="#/">
        <img src={icon} alt="" />
        Model Gateway
      </a>
      {children}
      <nav className="top" aria-label="Places">
        <Places />
      </nav>
    </header>
  );
}

/** The three places of a gateway. The other two open a separate tab, so that a form here keeps its text. */
export function Places() {
  return (
    <>
      <a href={`${gatewayRoot}/docs/`} target="_blank" rel="noopener noreferrer">
        Docs
      </a>
      <a href={`${gatewayRoot}/docs/reference/redoc/`} target="_blank" rel="noopener noreferrer">
        Reference
      </a>
      <a href="#/" aria-current="true">
        Console
      </a>
    </>
  );
}
