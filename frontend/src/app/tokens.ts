import type { MantineColorsTuple } from "@mantine/core";

/** The values of the design; `docs/design.md` says what each is for. */
export const FONTS = {
  /** Controls, lists and numbers. */
  sans: '"Inter", "Inter fallback", system-ui, sans-serif',
  /** Titles, quotations and reading. */
  serif: '"Source Serif 4", "Source Serif 4 fallback", Georgia, serif',
} as const;

export const SIZES = { xs: "12px", sm: "13px", md: "14px", lg: "16px", xl: "20px", title: "28px" } as const;
export const WEIGHTS = { regular: "400", medium: "500", semibold: "600" } as const;

/** Links, buttons and what is selected. */
export const petrol: MantineColorsTuple = [
  "#eaf6fa",
  "#d5e9f0",
  "#a8d3e1",
  "#77bcd2",
  "#51a9c5",
  "#3a9dbd",
  "#2c8fb0",
  "#1f6f8b",
  "#1f4e5f",
  "#123642",
];

/** Words that are quoted from a document, and nothing else. */
export const clay: MantineColorsTuple = [
  "#fdefec",
  "#f6dcd6",
  "#eeb6aa",
  "#e68d7b",
  "#df6b53",
  "#dc553a",
  "#c8553d",
  "#a9412b",
  "#8a3322",
  "#6c2718",
];

/** Paper: the greys of the light scheme are warm. */
export const gray: MantineColorsTuple = [
  "#f8f6f1",
  "#f2efe8",
  "#e9e5dc",
  "#dedacf",
  "#cbc6ba",
  "#a6a196",
  "#837e75",
  "#5e5a53",
  "#3f3c38",
  "#24221f",
];

/** Night paper: from ink on the page to the page itself. */
export const dark: MantineColorsTuple = [
  "#e4e0d8",
  "#cfcbc2",
  "#aca89f",
  "#807d77",
  "#3b3f44",
  "#31353a",
  "#24282c",
  "#17191b",
  "#111314",
  "#0b0c0d",
];

export const ink = "#1c1d1f";

/** What has no place in Mantine's theme, as CSS variables. */
export const LIGHT = {
  "--lectern-paper": "#fdfcf9",
  "--lectern-desk": "#f5f2eb",
  "--lectern-line": "#e6e1d7",
  "--lectern-quote": "#c8553d",
  "--lectern-mark": "#f9ddd2",
  "--lectern-selected": "#e6f1f4",
} as const;

export const DARK = {
  "--lectern-paper": "#17191b",
  "--lectern-desk": "#111314",
  "--lectern-line": "#2b2f33",
  "--lectern-quote": "#e68d7b",
  "--lectern-mark": "#6b3a2e",
  "--lectern-selected": "#22323a",
} as const;

export const COMMON = {
  /** The space between the navigation and everything on a page. */
  "--lectern-edge": "24px",
  "--lectern-motion": "140ms",
  "--lectern-font-serif": FONTS.serif,
} as const;
