import { type CSSVariablesResolver, createTheme, defaultVariantColorsResolver } from "@mantine/core";
import { returnFocus } from "@/shared/return-focus";
import { COMMON, clay, DARK, dark, FONTS, gray, ink, LIGHT, petrol, SIZES, WEIGHTS } from "./tokens";

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
  colors: { petrol, clay, gray, dark },
  // "danger" is for what cannot be undone
  variantColorResolver: (input) =>
    defaultVariantColorsResolver(input.variant === "danger" ? { ...input, variant: "filled", color: "red.9" } : input),
  defaultRadius: "md",
  cursorType: "pointer",
  black: ink,
  fontFamily: FONTS.sans,
  fontSizes: { xs: SIZES.xs, sm: SIZES.sm, md: SIZES.md, lg: SIZES.lg, xl: SIZES.xl },
  fontWeights: { regular: WEIGHTS.regular, medium: WEIGHTS.medium, bold: WEIGHTS.semibold },
  headings: {
    fontFamily: FONTS.serif,
    fontWeight: WEIGHTS.semibold,
    sizes: {
      h1: { fontSize: SIZES.title, lineHeight: "36px" },
      h2: { fontSize: SIZES.xl, lineHeight: "28px" },
      h3: { fontSize: SIZES.xl, lineHeight: "28px" },
      h4: { fontSize: SIZES.lg, lineHeight: "24px" },
      h5: { fontSize: SIZES.md, lineHeight: "20px" },
      h6: { fontSize: SIZES.sm, lineHeight: "20px" },
    },
  },
  components: {
    // Colours say what kind of news it is; as text the lighter ones among them could not be read.
    Alert: { styles: { label: { color: "var(--mantine-color-text)" } } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300 } },
    // A name keeps its letters as they are. Mantine makes them smaller than the smallest size of the scale.
    Badge: { defaultProps: { tt: "none" }, styles: { root: { fontSize: SIZES.xs, letterSpacing: 0 } } },
    Paper: { defaultProps: { radius: "md" } },
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
    // A key that comes before the focus is in it does not close it.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, clickOutsideEvents: ["mousedown", "touchstart"] } },
    Select: LIST,
    MultiSelect: LIST,
    TagsInput: LIST,
  },
});

/** Mantine's dimmed text, errors and light variants miss WCAG AA contrast; these pass on both schemes. */
export const cssVariablesResolver: CSSVariablesResolver = (resolved) => ({
  variables: { ...COMMON },
  light: {
    ...LIGHT,
    "--mantine-color-dimmed": gray[7],
    "--mantine-color-petrol-light": LIGHT["--lectern-selected"],
    "--mantine-color-petrol-light-hover": LIGHT["--lectern-selected"],
    "--mantine-color-placeholder": "#6b665f",
    "--mantine-color-body": LIGHT["--lectern-paper"],
    "--mantine-color-default-border": gray[3],
    "--mantine-color-error": "var(--mantine-color-red-9)",
    ...lightVariants(Object.keys(resolved.colors)),
  },
  dark: {
    ...DARK,
    // what is selected is lighter than its ground
    "--mantine-color-petrol-light": DARK["--lectern-selected"],
    "--mantine-color-petrol-light-hover": DARK["--lectern-selected"],
    "--mantine-color-dimmed": dark[2],
    "--mantine-color-placeholder": "#a39f96",
    "--mantine-color-body": DARK["--lectern-paper"],
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
