/**
 * How often a test kills: all of its kills in CI, a few at a desk, where somebody waits. `KILLS=100`
 * asks for a number of one's own.
 */
export function howManyKills({ inCi, atADesk }: { inCi: number; atADesk: number }): number {
  return Number(process.env.KILLS) || (process.env.CI ? inCi : atADesk)
}

/** How long a test with so many kills may take at a desk, on a machine that others keep busy. */
export const killsTakeMs = (kills: number): number => 120_000 + kills * 20_000
