import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/limits/units.ts'
import { useManner } from './language.ts'
import { localeOf } from './locale.ts'

/** Returns a function that writes a duration of a rule in whole words: "30 minutes", "7 days". */
export function useSpan(): (milliseconds: number) => string {
  const { language, digits } = useManner()
  return (milliseconds) => {
    const [unit, length] =
      milliseconds % DAY_MS === 0
        ? (['day', DAY_MS] as const)
        : milliseconds % HOUR_MS === 0
          ? (['hour', HOUR_MS] as const)
          : (['minute', MINUTE_MS] as const)
    return new Intl.NumberFormat(localeOf(language, digits), {
      style: 'unit',
      unit,
      unitDisplay: 'long',
    }).format(milliseconds / length)
  }
}
