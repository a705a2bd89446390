import { IS_FULL_SIZE } from './full-size.ts'

/** Returns how often a test kills: three times, or `max` at full size. `KILLS=100` asks for another number. */
export function howManyKills({ max }: { max: number }): number {
  return Number(process.env.KILLS) || (IS_FULL_SIZE ? max : Math.min(max, 3))
}

/** Returns how many milliseconds a test with this number of kills may take before it has failed. */
export const killsTakeMs = (kills: number): number => 120_000 + kills * 20_000
