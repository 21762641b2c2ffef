import { Component, type ReactNode } from "react";

interface BoundaryProps {
  readonly children: ReactNode;
}

/** Keeps the menu when a page fails: its script may be gone after an update of the gateway, or it has a fault. */
export class Boundary extends Component<BoundaryProps, { readonly hasFailed: boolean }> {
  override readonly state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <div className="fault" role="alert">
        <h1>This page could not be shown</h1>
        <p>The gateway may have been updated since the console was opened.</p>
        <div className="row">
          <button type="button" className="button" onClick={() => location.reload()}>
            Load the console again
          </button>
        </div>
      </div>
    );
  }
}
