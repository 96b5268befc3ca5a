// pdf.js styles its whole application; of this the viewer shows pages with their text and annotations. What belongs to
// editors, dialogs, side bars and forms of the XFA kind (which pdf.js reads only when asked to) is left out: 14 KB of 21 as they are sent.
const OF_THE_APPLICATION =
  /edit|dialog|comment|signature|alttext|picker|popupmenu|treeview|outercontainer|viewsmanager|sidebar|badge|toggle|messagebar|xfa|highlightparams|presentation|(primary|secondary)button/i;

const onlyPages = {
  postcssPlugin: "only-pages",
  Once(root) {
    if (!root.source?.input.file?.endsWith("pdf_viewer.css")) return;
    root.walkRules((rule) => {
      if (rule.selectors.every((selector) => OF_THE_APPLICATION.test(selector))) rule.remove();
    });
    root.walkDecls(/^--/, (declaration) => {
      if (OF_THE_APPLICATION.test(declaration.prop)) declaration.remove();
    });
  },
};

module.exports = {
  plugins: [
    onlyPages,
    require("postcss-preset-mantine")(),
    require("postcss-simple-vars")({
      variables: {
        "mantine-breakpoint-xs": "36em",
        "mantine-breakpoint-sm": "48em",
        "mantine-breakpoint-md": "62em",
        "mantine-breakpoint-lg": "75em",
        "mantine-breakpoint-xl": "88em",
      },
    }),
  ],
};
