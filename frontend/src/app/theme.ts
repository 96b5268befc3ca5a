import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
} from "@mantine/core";
import { returnFocus } from "@/shared/return-focus";

const petrol: MantineColorsTuple = [
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
const clay: MantineColorsTuple = [
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

/** The id of the place in the page's main part where menus and lists are put. */
export const LAYERS = "layers";

/** The list of options is itself what scrolls: readers know it, unlike a box around it, as what the field opened. */
const LIST = {
  defaultProps: { withScrollArea: false },
  styles: { options: { maxHeight: 220, overflowY: "auto" } },
} as const;

export const theme = createTheme({
  primaryColor: "petrol",
  // One shade for both schemes: the text colour on it is computed for the light scheme only.
  primaryShade: 7,
  // Text on a filled ground is black or white, whichever has more contrast: they are even at this luminance.
  autoContrast: true,
  luminanceThreshold: 0.18,
  colors: { petrol, clay },
  // "danger" is for what cannot be undone
  variantColorResolver: (input) =>
    defaultVariantColorsResolver(input.variant === "danger" ? { ...input, variant: "filled", color: "red.9" } : input),
  defaultRadius: "md",
  cursorType: "pointer",
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  headings: { fontFamily: 'Georgia, "Iowan Old Style", "Palatino Linotype", serif', fontWeight: "600" },
  components: {
    // Colours say what kind of news it is; as text the lighter ones among them could not be read.
    Alert: { styles: { label: { color: "var(--mantine-color-text)" } } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300 } },
    // A name keeps its letters as they are.
    Badge: { defaultProps: { tt: "none" } },
    ActionIcon: { defaultProps: { variant: "subtle" } },
    // The head of a dialog is an HTML header, which outside of the page's main part would be a second banner.
    Modal: {
      defaultProps: {
        attributes: { header: { role: "presentation" } },
        onExitTransitionEnd: returnFocus,
      },
      // a name in it may be long
      styles: { title: { lineHeight: 1.35, overflowWrap: "anywhere" } },
    },
    Popover: {
      defaultProps: { onExitTransitionEnd: returnFocus, portalProps: { target: `#${LAYERS}` } },
    },
    // The focus goes to the first item: a menu may hold nothing else that can be focused.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Select: LIST,
    MultiSelect: LIST,
    TagsInput: LIST,
  },
});

/** Mantine's dimmed text, errors and light variants miss WCAG AA contrast; these pass on both schemes. */
export const cssVariablesResolver: CSSVariablesResolver = (resolved) => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "#555d66",
    "--mantine-color-placeholder": "#666e76",
    "--mantine-color-body": "#fcfbf8",
    "--mantine-color-error": "var(--mantine-color-red-9)",
    ...lightVariants(Object.keys(resolved.colors)),
  },
  dark: {
    "--mantine-color-dimmed": "#a9b1ba",
    "--mantine-color-placeholder": "#a0a8b0",
    "--mantine-color-error": "var(--mantine-color-red-4)",
  },
});

function lightVariants(colors: string[]): Record<string, string> {
  return Object.fromEntries(
    colors
      .filter((color) => color !== "dark")
      .flatMap((color) =>
        ["light-color", "outline"].map((part) => [
          `--mantine-color-${color}-${part}`,
          `var(--mantine-color-${color}-9)`,
        ]),
      ),
  );
}
