/**
 * A `ref` for the first field of a page, of a dialog that loads, or of its next step. Such a dialog has given the focus
 * to its close button before, or the button that held the focus is gone.
 */
export function focusOnMount(field: HTMLElement | null): void {
  field?.focus();
}
