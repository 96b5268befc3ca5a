const CHIP_PX = 26;
const LETTER_PX = 6.4;
/** Room of the column without "+n" and the pencil. */
const ROOM_PX = 224;
const MOST_TAGS = 3;

/** Estimate how many tags fit into a row with their whole names. Measuring them would cost a layout for each row. */
export function countThatFits(names: readonly string[]): number {
  let room = ROOM_PX;
  const first = names.slice(0, MOST_TAGS).findIndex((name) => {
    room -= CHIP_PX + name.length * LETTER_PX;
    return room < 0;
  });
  if (first === -1) return Math.min(names.length, MOST_TAGS);
  return Math.max(first, 1);
}
