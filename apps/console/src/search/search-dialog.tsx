import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { useListKeys } from "../operations/listKeys.js";
import { useListModels } from "../operations/listModels.js";
import { useListUpstreams } from "../operations/listUpstreams.js";
import { Badge } from "../parts/badge.js";
import { Dialog } from "../parts/dialog.js";
import { goTo } from "../routes/address.js";
import { useSignedIn } from "../session/session-context.js";
import { findPlaces, hintForPart, type Place, type Searched } from "./find-places.js";

const keysMax = 5;

interface SearchDialogProps {
  readonly pages: Searched["pages"];
  readonly onClose: () => void;
}

/** Finds a request, a batch or a job by its id, and models, keys, owners, upstreams and pages by their names. */
export function SearchDialog(props: SearchDialogProps) {
  const isOperator = useSignedIn().session.kind === "operator";
  return isOperator ? <OperatorSearch {...props} /> : <CallerSearch {...props} />;
}

function OperatorSearch({ pages, onClose }: SearchDialogProps) {
  const [text, setText] = useState("");
  const models = useListModels().data ?? [];
  const upstreams = useListUpstreams().data?.data.map(({ name }) => name) ?? [];
  const search = text.trim();
  const keys = useListKeys({ ...(search !== "" && { search }), limit: keysMax }).data?.pages[0]?.data ?? [];
  const found = findPlaces(text, { pages, models, upstreams, keys, requestsPath: "/requests" });
  return <Search text={text} onText={setText} found={found} onClose={onClose} />;
}

function CallerSearch({ pages, onClose }: SearchDialogProps) {
  const [text, setText] = useState("");
  const models = useListModels().data ?? [];
  const found = findPlaces(text, { pages, models, upstreams: [], keys: [], requestsPath: "/key" });
  return <Search text={text} onText={setText} found={found} onClose={onClose} />;
}

interface SearchProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly found: readonly Place[];
  readonly onClose: () => void;
}

/** https://www.w3.org/WAI/ARIA/apg/patterns/combobox/: the focus stays in the field. */
function Search({ text, onText, found, onClose }: SearchProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  // After the dialog has opened, since the browser gives the focus to its first button, and before the next key.
  useLayoutEffect(() => field.current?.focus(), []);
  const [chosen, setChosen] = useState(0);
  const current = Math.min(chosen, found.length - 1);
  const open = ({ link }: Place) => {
    onClose();
    goTo(link);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // A search field would clear its text first, and close the dialog at the second press only.
    if (event.key === "Escape") {
      event.preventDefault();
      onClose();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const place = found[current];
    if (event.key === "Enter" && place !== undefined) {
      // The place may open a sheet at once, and the same Enter would press the button that has the focus there.
      event.preventDefault();
      open(place);
    }
    if (step === undefined || found.length === 0) return;
    event.preventDefault();
    setChosen((current + step + found.length) % found.length);
  };
  return (
    <Dialog title="Search" onClose={onClose}>
      <div className="stack">
        <input
          ref={field}
          type="search"
          role="combobox"
          aria-label="Search"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={found.length === 0 ? undefined : `${id}-${current}`}
          placeholder="An id of a request, batch or job, or a name"
          maxLength={128}
          value={text}
          onChange={(event) => {
            onText(event.target.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
        {found.length === 0 && (
          <p className="quiet" role="status">
            {hintForPart(text) ?? "Nothing has this name."}
          </p>
        )}
        <div role="listbox" id={id} className="found" aria-label="Results">
          {found.map((place, index) => (
            <a
              key={`${place.kind}/${place.name}`}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === current}
              tabIndex={-1}
              href={place.link}
              onClick={onClose}
            >
              <span className={place.kind === "page" || place.kind === "owner" ? undefined : "mono"}>
                {place.name}
                {place.word !== undefined && <span className="quiet">: {place.word}</span>}
              </span>
              <Badge tone="quiet">{place.kind}</Badge>
            </a>
          ))}
        </div>
        <p className="small quiet search-hint">
          <kbd>↑</kbd> <kbd>↓</kbd> choose · <kbd>Enter</kbd> open · <kbd>Esc</kbd> close
        </p>
      </div>
    </Dialog>
  );
}
