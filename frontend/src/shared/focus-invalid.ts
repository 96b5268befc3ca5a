/** Mantine marks the field of a password otherwise. */
const INVALID = ":is(input, textarea, select):is([aria-invalid=true], [data-invalid])";

/** Move the focus to the first invalid field of a form that was sent, which may be out of sight. */
export function focusInvalid(form: HTMLFormElement): void {
  // the fields are marked once they are rendered again
  requestAnimationFrame(() => form.querySelector<HTMLElement>(INVALID)?.focus());
}
