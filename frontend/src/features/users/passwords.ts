export const MIN_PASSWORD_CHARACTERS = 12;

// Without letters that are read for one another, since somebody may type it from a note.
const ALPHABET = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const GROUPS = 4;
const GROUP_LENGTH = 5;

/** A password to pass on, such as `kT4wm-9xQpe-...`: 20 characters of 55, made by the browser's random source. */
export function suggestPassword(): string {
  const characters: string[] = [];
  // Numbers at the end of the range would make some letters likelier than others.
  const limit = Math.floor(256 / ALPHABET.length) * ALPHABET.length;
  while (characters.length < GROUPS * GROUP_LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(32))) {
      if (byte < limit && characters.length < GROUPS * GROUP_LENGTH)
        characters.push(ALPHABET.charAt(byte % ALPHABET.length));
    }
  }
  return Array.from({ length: GROUPS }, (_, group) =>
    characters.slice(group * GROUP_LENGTH, (group + 1) * GROUP_LENGTH).join(""),
  ).join("-");
}
