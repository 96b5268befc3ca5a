/** A `ref` for the first field of a dialog that loads: the dialog has given the focus to its close button before. */
export function focusOnMount(field: HTMLElement | null): void {
  field?.focus();
}
