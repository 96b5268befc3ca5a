/** Set by `./lectern test` without `--all`. */
const IS_QUICK = Boolean(process.env.LECTERN_E2E_QUICK);

/** Return the cases over which a test is repeated. A quick run takes the first one, which represents the others. */
export const matrix = <Case>(cases: readonly Case[]): readonly Case[] => (IS_QUICK ? cases.slice(0, 1) : cases);
