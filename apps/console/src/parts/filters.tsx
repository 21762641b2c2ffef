import { type ReactNode, useId, useState } from "react";

interface FiltersProps {
  /** How many of them are set. */
  readonly count: number;
  /** Always shown, such as a search. */
  readonly first?: ReactNode;
  /** On a phone they are folded behind a button. */
  readonly children: ReactNode;
  /** How many rows fit. */
  readonly total?: ReactNode;
}

/** The filters of a list. */
export function Filters({ count, first, children, total }: FiltersProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <search className={isOpen ? "filters open" : "filters"}>
      {first}
      <button
        type="button"
        className="button filters-button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {count === 0 ? "Filters" : `Filters (${count})`}
      </button>
      <div className="filters-fields" id={id}>
        {children}
      </div>
      {total !== undefined && <p className="quiet small filters-total">{total}</p>}
    </search>
  );
}
