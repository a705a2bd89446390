import type { TodayView } from '../../contract/dashboard/home.ts'
import { HOUR_MS } from '../../core/limits/units.ts'
import { Bars } from '../parts/Bars.tsx'
import layout from '../parts/layout.module.css'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import { homeWords } from './words.ts'

type Hour = { hour: string; runs: number; failed: number }

/** The runs of the last 24 hours, by hour, with the number of failed ones. */
export function RunBars({ runs, at }: { runs: TodayView['runs']; at: string }) {
  const t = useWords(homeWords)
  const format = useFormat()
  const hours = everyHour(runs, at)
  const bars = hours.map(({ hour, runs: all, failed }, index) => {
    const time = format.time(hour)
    const isLast = index === hours.length - 1
    return {
      key: hour,
      label: isLast ? t('now') : time,
      isLabelled: isLast || index === 0,
      good: all - failed,
      bad: failed,
      tip: t('in_hour', { time, runs: all, failed }),
    }
  })
  return (
    <>
      <Bars
        isLow
        label={t('runs_24')}
        bars={bars}
        heads={[t('hour'), t('not_failed'), t('failed')]}
      />
      <div className={layout.smallText}>{t('failed_n', { n: runs.failed })}</div>
    </>
  )
}

/** Returns all hours, including those without runs. */
function everyHour({ since, hours }: TodayView['runs'], at: string): Hour[] {
  const known = new Map(hours.map((each) => [Date.parse(each.hour), each]))
  const first = Date.parse(since)
  const count = Math.floor((Date.parse(at) - first) / HOUR_MS) + 1
  return Array.from({ length: count }, (_, index) => {
    const start = first + index * HOUR_MS
    return known.get(start) ?? { hour: isoOf(start), runs: 0, failed: 0 }
  })
}

function isoOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
