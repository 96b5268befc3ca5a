import { ActionIcon, type ActionIconProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { ComponentPropsWithRef } from "react";

type Props = ActionIconProps & Omit<ComponentPropsWithRef<"a">, keyof ActionIconProps>;

/** A link of the router that looks like a button with an icon. */
export const IconLink = createLink((props: Props) => <ActionIcon component="a" {...props} />);
