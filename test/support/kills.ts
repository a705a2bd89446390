/** Whether tests run at full size, as `npm run test:all` has them. */
export const IS_FULL_SIZE = process.env.TESTS === 'all'

/** Returns how often a test kills: three times, or `most` at full size. `KILLS=100` asks for another number. */
export function howManyKills({ most }: { most: number }): number {
  return Number(process.env.KILLS) || (IS_FULL_SIZE ? most : Math.min(most, 3))
}

/** Returns how many milliseconds a test with so many kills may take before it has failed. */
export const killsTakeMs = (kills: number): number => 120_000 + kills * 20_000
