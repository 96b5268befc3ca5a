// Runs before the first paint so that a dark page never flashes white; a file of its own because the
// content security policy allows no inline script.
(() => {
  const stored = localStorage.getItem("lectern-color-scheme");
  const isDark = stored === "dark" || (stored !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", isDark ? "dark" : "light");
})();
