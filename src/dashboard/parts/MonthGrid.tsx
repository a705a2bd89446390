import { useState } from 'react'
import { now } from '../words/now.ts'
import { DAY_MS } from '../../core/limits/units.ts'
import { useManner } from '../words/language.ts'
import { localeOf } from '../words/locale.ts'
import { IconButton } from './IconButton.tsx'
import { useWords } from '../words/use-words.tsx'
import styles from './time-field.module.css'
import { partsWords } from './words.ts'
import { dayTextOf } from '../words/format.ts'

const WEEK_DAYS = 7

const textOf = (day: number) => new Date(day).toISOString().slice(0, 10)

/** The days of a month, Sunday first, in the language of the page. A click chooses a day. */
export function MonthGrid({
  day,
  onChoose,
}: {
  /** The chosen day, `2026-11-29`; empty for none. */
  day: string
  onChoose(day: string): void
}) {
  const t = useWords(partsWords)
  const { language, digits, timeShown } = useManner()
  const today = dayTextOf(now(), timeShown)
  const [shown, setShown] = useState((day === '' ? today : day).slice(0, 7))
  const first = Date.parse(`${shown}-01T00:00:00Z`)
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(localeOf(language, digits), { timeZone: 'UTC', ...options })
  const whole = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
  const number = format({ day: 'numeric' })
  const start = first - new Date(first).getUTCDay() * DAY_MS
  const days = Array.from({ length: 6 * WEEK_DAYS }, (_, n) => start + n * DAY_MS)
  const step = (months: number) => {
    const to = new Date(first)
    to.setUTCMonth(to.getUTCMonth() + months)
    setShown(textOf(to.getTime()).slice(0, 7))
  }
  return (
    <div className={styles.month} role="group" aria-label={t('choose_day')}>
      <div className={styles.monthHead}>
        <IconButton icon="chevron_back" label={t('month_before')} onClick={() => step(-1)} />
        <strong aria-live="polite">
          {format({ month: 'long', year: 'numeric' }).format(first)}
        </strong>
        <IconButton icon="chevron_next" label={t('month_after')} onClick={() => step(1)} />
      </div>
      <div className={styles.days}>
        {days.slice(0, WEEK_DAYS).map((one) => (
          <span key={one} aria-hidden="true" className={styles.weekday}>
            {format({ weekday: 'narrow' }).format(one)}
          </span>
        ))}
        {days.map((one) => {
          const text = textOf(one)
          return (
            <button
              key={text}
              type="button"
              className={styles.day}
              data-other={!text.startsWith(shown)}
              aria-label={whole.format(one)}
              aria-current={text === today ? 'date' : undefined}
              aria-pressed={text === day}
              onClick={() => onChoose(text)}
            >
              {number.format(one)}
            </button>
          )
        })}
      </div>
    </div>
  )
}
