import { useState, type KeyboardEvent } from 'react'
import type { TodayView } from '../../contract/dashboard/home.ts'
import { HOUR_MS } from '../../core/limits/units.ts'
import { useLanguage } from '../words/language.ts'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import styles from './home.module.css'
import { homeWords } from './words.ts'

type Hour = { hour: string; runs: number; failed: number }

/**
 * Runs by hour, with failed ones hatched at the bottom. Time runs in the direction of reading. The figures of one hour
 * are shown below the pointer or by the arrow keys; a table for screen readers has those of all hours.
 */
export function RunBars({ runs, at }: { runs: TodayView['runs']; at: string }) {
  const t = useWords(homeWords)
  const format = useFormat()
  const { direction } = useLanguage()
  const [chosen, choose] = useState<number | null>(null)
  const hours = everyHour(runs, at)
  const max = Math.max(1, ...hours.map((each) => each.runs))
  const onKey = (event: KeyboardEvent) => {
    const forward = direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const back = direction === 'rtl' ? 'ArrowRight' : 'ArrowLeft'
    if (event.key !== forward && event.key !== back) return
    event.preventDefault()
    const from = chosen ?? hours.length
    choose(Math.max(0, Math.min(hours.length - 1, from + (event.key === forward ? 1 : -1))))
  }
  const chosenHour = chosen === null ? undefined : hours[chosen]
  return (
    <div
      role="group"
      aria-label={t('runs_24')}
      tabIndex={0}
      onKeyDown={onKey}
      onBlur={() => choose(null)}
      onPointerLeave={() => choose(null)}
    >
      <div className={styles.bars} aria-hidden>
        {hours.map(({ hour, runs: all, failed }, index) => (
          <span
            key={hour}
            className={styles.barPlace}
            data-chosen={index === chosen}
            onPointerEnter={() => choose(index)}
          >
            <span
              className={styles.bar}
              style={{ blockSize: `${((all - failed) / max) * 100}%` }}
            />
            <span className={styles.barFailed} style={{ blockSize: `${(failed / max) * 100}%` }} />
          </span>
        ))}
      </div>
      <div className={styles.barLabels}>
        <span>{format.time(runs.since)}</span>
        <span aria-live="polite">
          {chosenHour === undefined
            ? t('failed_n', { n: runs.failed })
            : t('in_hour', {
                time: format.time(chosenHour.hour),
                runs: chosenHour.runs,
                failed: chosenHour.failed,
              })}
        </span>
        <span>{t('now')}</span>
      </div>
      <div className="visually-hidden">
        <table>
          <thead>
            <tr>
              <th scope="col">{t('hour')}</th>
              <th scope="col">{t('runs')}</th>
              <th scope="col">{t('failed')}</th>
            </tr>
          </thead>
          <tbody>
            {hours.map(({ hour, runs: all, failed }) => (
              <tr key={hour}>
                <td>{format.dateTime(hour)}</td>
                <td>{format.number(all)}</td>
                <td>{format.number(failed)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
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
