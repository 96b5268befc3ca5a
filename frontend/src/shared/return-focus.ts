const LAYERS = "[role=dialog], [role=menu], [role=listbox]";

const MODAL = "[aria-modal=true]";

let last: HTMLElement | null = null;
let lastInModal: HTMLElement | null = null;
document.addEventListener("focusin", ({ target }) => {
  if (!(target instanceof HTMLElement)) return;
  if (target.closest(MODAL)) lastInModal = target;
  if (target.closest(LAYERS)) return;
  // the page's main part takes the focus of a click on nothing
  if (target.closest("#root") && target.id !== "content") last = target;
});

const topmostModal = () => [...document.querySelectorAll(MODAL)].at(-1);

/** Return the last focus in the topmost dialog, or its first field if that is gone. */
function placeInModal(): HTMLElement | null {
  const modal = topmostModal();
  if (!modal) return null;
  const isThere = lastInModal && modal.contains(lastInModal) && !lastInModal.hasAttribute("disabled");
  return isThere ? lastInModal : modal.querySelector<HTMLElement>("input:not([disabled]), button:not([disabled])");
}

// a button that waits for an answer is disabled and loses the focus: Tab would go on behind the dialog
document.addEventListener("keydown", (event) => {
  if (event.key !== "Tab" || document.activeElement !== document.body) return;
  const field = placeInModal();
  if (field) event.preventDefault();
  field?.focus();
});

/**
 * Its place on the page; what was made anew with its layer, or went away within its row, is known by its `data-focus`.
 * Without it, the main part of the page.
 */
function place(): HTMLElement | null {
  if (!last || last.isConnected) return last;
  const { focus } = last.dataset;
  const again = focus ? document.querySelector<HTMLElement>(`[data-focus="${focus}"]`) : null;
  return again ?? document.getElementById("content");
}

const MOST_TRIES = 10;

const isNowhere = () => document.activeElement === document.body;

/**
 * After a layer has closed: give the focus back to where it was on the page, if it fell to nowhere. A dialog that was
 * opened from a menu knows the item of the menu only, which is gone by then.
 */
export function returnFocus(tries = 0): void {
  // what held the focus is taken off the page a moment later, on a slow machine some moments
  setTimeout(
    () => {
      // not behind an open dialog, nor into its field: a phone would show its keyboard again
      if (isNowhere() && !topmostModal()) place()?.focus({ preventScroll: true });
      const isLater = isNowhere() || document.activeElement?.closest(LAYERS);
      if (tries < MOST_TRIES && isLater) returnFocus(tries + 1);
    },
    tries > 0 ? 50 : 0,
  );
}
