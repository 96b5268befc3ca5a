import { Anchor, type AnchorProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { ComponentPropsWithRef } from "react";

type Props = AnchorProps & Omit<ComponentPropsWithRef<"a">, keyof AnchorProps>;

/** A link in the look of the theme, with addresses checked by the router's types. */
export const TextLink = createLink((props: Props) => <Anchor {...props} />);
