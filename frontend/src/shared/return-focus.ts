const LAYERS = "[role=dialog], [role=menu], [role=listbox]";

let last: HTMLElement | null = null;
document.addEventListener("focusin", ({ target }) => {
  if (!(target instanceof HTMLElement) || target.closest(LAYERS)) return;
  // the page's main part takes the focus of a click on nothing
  if (target.closest("#root") && target.id !== "content") last = target;
});

/** Its place on the page; what was made anew with its layer is known by its `data-focus`. */
function place(): HTMLElement | null {
  if (!last || last.isConnected) return last;
  const { focus } = last.dataset;
  return focus ? document.querySelector<HTMLElement>(`[data-focus="${focus}"]`) : null;
}

const MOST_TRIES = 10;

/**
 * After a layer has closed: give the focus back to where it was on the page, if it fell to nowhere. A dialog that was
 * opened from a menu knows the item of the menu only, which is gone by then.
 */
export function returnFocus(tries = 0): void {
  // what held the focus is taken off the page a moment later, on a slow machine some moments
  setTimeout(
    () => {
      if (document.activeElement === document.body) place()?.focus({ preventScroll: true });
      else if (tries < MOST_TRIES && document.activeElement?.closest(LAYERS)) returnFocus(tries + 1);
    },
    tries > 0 ? 50 : 0,
  );
}
