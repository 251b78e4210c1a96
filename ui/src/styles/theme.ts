import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";

/** Petrol from light to dark; the filled shades are replaced by the tokens in `mantineVariables`. */
const petrol: MantineColorsTuple = [
  "#dfedf0",
  "#c4dfe5",
  "#8fbecb",
  "#66c1d6",
  "#3f9fb6",
  "#1f7f97",
  "#0b5a70",
  "#08485a",
  "#063846",
  "#04222b",
];

/** Mantine in the instrument's measures: small radii, 13 px type, no colour but the accent. */
export const theme = createTheme({
  primaryColor: "petrol",
  primaryShade: { light: 6, dark: 3 },
  colors: { petrol },
  fontFamily: "var(--font)",
  fontFamilyMonospace: "var(--mono)",
  defaultRadius: 5,
  fontSizes: { xs: "11px", sm: "13px", md: "13px", lg: "15px", xl: "20px" },
  spacing: { xs: "4px", sm: "8px", md: "12px", lg: "16px", xl: "24px" },
  respectReducedMotion: true,
  components: {
    Tooltip: { defaultProps: { openDelay: 300, transitionProps: { duration: 120 } } },
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, transitionProps: { duration: 120 }, shadow: "md" } },
    Modal: { defaultProps: { transitionProps: { duration: 120 }, radius: 8, centered: true } },
    Popover: { defaultProps: { transitionProps: { duration: 120 }, shadow: "md" } },
  },
});

const variables = {
  "--mantine-color-body": "var(--raised)",
  "--mantine-color-text": "var(--ink)",
  "--mantine-color-dimmed": "var(--ink-3)",
  "--mantine-color-placeholder": "var(--ink-3)",
  "--mantine-color-anchor": "var(--accent)",
  "--mantine-color-error": "var(--failed)",
  "--mantine-color-default": "var(--raised)",
  "--mantine-color-default-hover": "var(--hover)",
  "--mantine-color-default-color": "var(--ink)",
  "--mantine-color-default-border": "var(--control-line)",
  "--mantine-primary-color-filled": "var(--accent)",
  "--mantine-primary-color-filled-hover": "var(--accent-2)",
  "--mantine-primary-color-light": "var(--accent-wash)",
  "--mantine-primary-color-light-color": "var(--accent)",
  "--mantine-primary-color-contrast": "var(--on-accent)",
  "--mantine-color-petrol-filled": "var(--accent)",
  "--mantine-color-petrol-filled-hover": "var(--accent-2)",
  "--mantine-shadow-md": "var(--shadow-2)",
};

/** Mantine's greys of each scheme, as the design's grounds and lines. */
const greys = (name: "gray" | "dark", shades: Record<number, string>) =>
  Object.fromEntries(Object.entries(shades).map(([n, token]) => [`--mantine-color-${name}-${n}`, `var(${token})`]));

const light = greys("gray", {
  0: "--hover",
  1: "--hover",
  2: "--line",
  3: "--line",
  4: "--control-line",
  6: "--ink-3",
});
const dark = greys("dark", { 2: "--ink-2", 3: "--ink-3", 4: "--line", 5: "--hover", 6: "--raised", 7: "--surface" });

/** The one place where the design's tokens become Mantine's. */
export const mantineVariables: CSSVariablesResolver = () => ({
  variables,
  light: { ...variables, ...light },
  dark: { ...variables, ...dark },
});
