/** Drawn here: no font has all of them on every system. */
const paths = {
  copy: "M9 9h10v10H9zM5 15V5h10",
  check: "M5 12l5 5 9-10",
  close: "M6 6l12 12M18 6L6 18",
  overview: "M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z",
  models: "M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9",
  playground: "M7 4l12 8-12 8z",
  image: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9.5h.01",
  requests: "M4 6h16M4 12h16M4 18h10",
  jobs: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M12 8v4l3 2",
  usage: "M5 20V10M12 20V4M19 20v-7",
  keys: "M14.5 9.5a4.5 4.5 0 1 0-4 4.5l1.5-.2V16h2v2h2v2h3v-3l-4.8-4.8zM8.5 8.5h.01",
  upstreams: "M4 5h16v6H4zM4 13h16v6H4zM8 8h.01M8 16h.01",
  configuration: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5",
  out: "M14 5h5v14h-5M4 12h10M10 8l4 4-4 4",
  search: "M11 5a6 6 0 1 0 0 12 6 6 0 0 0 0-12M15.5 15.5L20 20",
  external: "M14 5h5v5M19 5l-8 8M17 14v5H5V7h5",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  retry: "M19 12a7 7 0 1 1-2-5l2 2M19 4v5h-5",
} as const;

export type IconName = keyof typeof paths;

/** Decoration: the text beside it, or its button's label, has the meaning. */
export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  );
}
