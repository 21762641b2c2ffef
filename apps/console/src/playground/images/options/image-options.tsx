import type { Schemas } from "../../../operations/schemas.js";
import { optionsOf, SelectField, TextField } from "../../../parts/fields.js";
import { anySize } from "./common-capabilities.js";
import { SizeField } from "./size-field.js";

/** The chosen options, by parameter name. Unchanged options are not sent. */
export type ChosenOptions = Readonly<Record<string, string>>;

/** Options as they are sent. */
export type SentOptions = Readonly<Record<string, string | number>>;

interface ImageOptionsProps {
  readonly image: Schemas["ImageCapabilities"];
  readonly chosen: ChosenOptions;
  /** The form that sends the options: the browser checks them with it. */
  readonly formId: string;
  readonly onChange: (chosen: ChosenOptions) => void;
}

/** Only the options that the chosen models take. */
export function ImageOptions({ image, chosen, formId, onChange }: ImageOptionsProps) {
  const set = (name: string, value: string) => onChange({ ...chosen, [name]: value });
  const select = (name: string, label: string, values: readonly string[]) =>
    values.length > 1 && (
      <SelectField
        label={label}
        value={values.includes(chosen[name] ?? "") ? (chosen[name] ?? "") : ""}
        options={[{ value: "", label: "Default" }, ...optionsOf(values)]}
        onChange={(value) => set(name, value)}
      />
    );
  return (
    <>
      {image.sizes.includes(anySize) ? (
        <SizeField
          sizes={image.sizes}
          formId={formId}
          value={chosen.size ?? ""}
          onChange={(value) => set("size", value)}
        />
      ) : (
        select("size", "Size", image.sizes)
      )}
      {select("quality", "Quality", image.qualities)}
      {select("background", "Background", image.backgrounds)}
      {select("output_format", "Format", image.output_formats)}
      {image.max_n > 1 && (
        <TextField
          label="Images"
          form={formId}
          type="number"
          min="1"
          max={image.max_n}
          placeholder="1"
          value={chosen.n ?? ""}
          onChange={(event) => set("n", event.target.value)}
        />
      )}
    </>
  );
}

/** The options as the operation takes them. A choice that a model does not take is left from another model. */
export function readOptions(chosen: ChosenOptions, image: Schemas["ImageCapabilities"]): SentOptions {
  const allowed: Readonly<Record<string, readonly string[]>> = {
    quality: image.qualities,
    background: image.backgrounds,
    output_format: image.output_formats,
    ...(image.sizes.includes(anySize) ? {} : { size: image.sizes }),
  };
  const options: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(chosen)) {
    if (value === "" || allowed[name]?.includes(value) === false) continue;
    options[name] = name === "n" ? Number(value) : value.trim();
  }
  return options;
}

/** Asks for bytes: a link may lead to a host that the policy of the page forbids. */
export function deliveryOptions({ response_formats }: Schemas["ImageCapabilities"]): SentOptions {
  return response_formats[0] !== "b64_json" && response_formats.includes("b64_json")
    ? { response_format: "b64_json" }
    : {};
}
