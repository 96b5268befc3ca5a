// The stylesheets of the Mantine components that the app uses, in the order of Mantine's own bundle, as CSS imports:
//     node scripts/mantine-styles.mjs > src/app/mantine.css
// All of them are 30 KB compressed on every first page; a test holds the file against the imports of the sources.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const CORE = join(ROOT, "node_modules/@mantine/core");
const OTHERS = ["@mantine/notifications", "@mantine/modals", "@mantine/dropzone"];
const ALWAYS = ["baseline", "default-css-variables", "global"];
/** What no first page shows: the files that use these import their stylesheets, which come with their code. */
const LATER = {
  ...Object.fromEntries(
    ["Badge", "Code", "ColorSwatch", "List", "NumberInput", "Pagination", "PasswordInput", "Progress"].map(
      alone,
    ),
  ),
  ...Object.fromEntries(["SimpleGrid", "Switch", "Table", "Tabs", "Timeline"].map(alone)),
  ColorInput: ["ColorSwatch", "ColorPicker", "ColorInput"],
};

function alone(name) {
  return [name, [name]];
}

function files(folder, endings) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Names that files import from @mantine/core. */
function imported(paths) {
  const names = new Set();
  for (const path of paths)
    for (const [, list] of readFileSync(path, "utf8").matchAll(
      /import\s*\{([^}]*)\}\s*from\s*["']@mantine\/core["']/g,
    ))
      for (const name of list.split(","))
        names.add(
          name
            .replace(/^\s*type\s+/, "")
            .trim()
            .split(/\s+as\s+/)[0],
        );
  return names;
}

/** The names of the CSS modules that files of the package come to by their imports. */
function reachedStyles(entries) {
  const seen = new Set();
  const waiting = [...entries];
  while (waiting.length > 0) {
    const path = waiting.pop();
    if (seen.has(path)) continue;
    seen.add(path);
    for (const [, part] of readFileSync(path, "utf8").matchAll(/from\s*"(\.\.?\/[^"]+\.mjs)"/g))
      waiting.push(join(dirname(path), part));
  }
  return [...seen]
    .filter((path) => path.endsWith(".module.mjs"))
    .map((path) => basename(path, ".module.mjs"));
}

/** Names of the stylesheets, in the order of the bundle. */
export function neededStyles() {
  const packages = OTHERS.filter((name) => existsSync(join(ROOT, "node_modules", name))).flatMap((name) =>
    files(join(ROOT, "node_modules", name), [".mjs"]),
  );
  const names = imported([...files(join(ROOT, "src"), [".ts", ".tsx"]), ...packages]);
  const index = readFileSync(join(CORE, "esm/index.mjs"), "utf8");
  const entries = [...index.matchAll(/import \{([^}]*)\} from "(\.\/[^"]+)"/g)]
    .filter(([, list]) => list.split(",").some((name) => names.has(name.trim())))
    .map(([, , path]) => join(CORE, "esm", path));
  const bundle = readFileSync(join(CORE, "styles.css"), "utf8");
  const sheet = (name) => join(CORE, "styles", `${name}.css`);
  const place = (name) => bundle.indexOf(readFileSync(sheet(name), "utf8").match(/\.m_[0-9a-f]+/)?.[0] ?? "");
  const later = new Set(Object.values(LATER).flat());
  const sheets = [...new Set(reachedStyles(entries))].filter(
    (name) => existsSync(sheet(name)) && !later.has(name),
  );
  return [...ALWAYS, ...sheets.sort((one, other) => place(one) - place(other))];
}

/** The text of src/app/mantine.css. */
export function styleSheet() {
  const head =
    "/* made by scripts/mantine-styles.mjs: the components in use, in the order of Mantine's own bundle */\n";
  return (
    head +
    neededStyles()
      .map((name) => `@import "@mantine/core/styles/${name}.css";\n`)
      .join("")
  );
}

/** Files that use a component without its stylesheet, a line for each. */
export function missingStyles() {
  return files(join(ROOT, "src"), [".tsx"])
    .filter((path) => !path.endsWith(".test.tsx"))
    .flatMap((path) => {
      const text = readFileSync(path, "utf8");
      const wanted = [...imported([path])].flatMap((name) => LATER[name] ?? []);
      return wanted
        .filter((name) => !text.includes(`import "@mantine/core/styles/${name}.css"`))
        .map((name) => `${relative(ROOT, path)}: ${name}`);
    });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(process.argv.includes("--missing") ? missingStyles().join("\n") : styleSheet());
}
