import { Notifications } from "@mantine/notifications";
import "@mantine/notifications/styles.css";

/** Where short news are shown; a chunk of its own, because nothing is said on the first page. */
export function Notices() {
  return <Notifications position="bottom-left" />;
}
