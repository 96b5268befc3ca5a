import { useMediaQuery } from "@mantine/hooks";

/** Return whether the window is as narrow as a phone. */
export const useIsPhone = () => useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false });
