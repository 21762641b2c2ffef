import { useEffect, useId, useRef, useState } from "react";
import { TextField } from "../../../parts/fields.js";
import { anySize } from "./common-capabilities.js";

interface SizeFieldProps {
  /** The sizes of the chosen models. One of them stands for any width and height. */
  readonly sizes: readonly string[];
  /** The form that sends the size, and does not while it is not one. */
  readonly formId: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A size that is typed. The sentence about a wrong one is ours: the browser's names no size. */
export function SizeField({ sizes, formId, value, onChange }: SizeFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  /** Not while it is typed for the first time: half a size is wrong too. */
  const [isLeft, setLeft] = useState(false);
  const list = useId();
  const fault = sizeFault(value, sizes);
  useEffect(() => field.current?.setCustomValidity(fault ?? ""), [fault]);
  return (
    <>
      <TextField
        ref={field}
        label="Size"
        form={formId}
        list={list}
        autoComplete="off"
        spellCheck={false}
        placeholder="1024x1024"
        fault={isLeft ? fault : undefined}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onBlur={() => setLeft(true)}
        onInvalid={(event) => {
          // The sentence stands below the field, so the browser need not say it again.
          event.preventDefault();
          setLeft(true);
          field.current?.focus();
        }}
      />
      <datalist id={list}>
        {["auto", ...namedSizes(sizes)].map((size) => (
          <option key={size} value={size} />
        ))}
      </datalist>
    </>
  );
}

/** Undefined for a size that the models may take. The gateway knows their bounds. */
export function sizeFault(value: string, sizes: readonly string[]): string | undefined {
  const size = value.trim();
  // Every model takes `auto`.
  if (size === "" || size === "auto" || /^[1-9]\d*x[1-9]\d*$/.test(size)) return undefined;
  return `${size} is not a size. ${describeSizes(sizes)}`;
}

function describeSizes(sizes: readonly string[]): string {
  return `Width x height in pixels, such as ${namedSizes(sizes).join(" or ") || "1024x1024"}, or auto.`;
}

function namedSizes(sizes: readonly string[]): string[] {
  return sizes.filter((size) => size !== anySize && size !== "auto");
}
