import { NumberInput, Select } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { defineWords } from '../../core/words/define-words.ts'
import { useWords } from '../words/use-words.tsx'
import styles from './parts.module.css'

const words = defineWords({
  en: { minutes: 'minutes', hours: 'hours', days: 'days', unit_of: 'Unit for {name}' },
  ar: { minutes: 'دقائق', hours: 'ساعات', days: 'أيام', unit_of: 'وحدة {name}' },
})

const UNITS = { minutes: 1, hours: 60, days: 24 * 60 } as const
type Unit = keyof typeof UNITS

/**
 * A field for a duration in minutes, shown at first in the largest unit that gives a whole number. `max` is in
 * minutes.
 */
export function DurationField({
  id,
  label,
  description,
  value,
  max,
  error,
  readOnly = false,
  onChange,
}: {
  id?: string
  label: string
  description?: ReactNode
  /** The duration in minutes. */
  value: number
  max: number
  error: ReactNode
  readOnly?: boolean
  onChange(minutes: number): void
}) {
  const t = useWords(words)
  const [unit, setUnit] = useState<Unit>(() => widestUnit(value))
  const [emptied, setEmptied] = useState(0)
  const units = (Object.keys(UNITS) as Unit[]).filter((name) => UNITS[name] <= max)
  return (
    <div className={styles.duration}>
      <NumberInput
        key={emptied}
        id={id}
        label={label}
        description={description}
        value={value / UNITS[unit]}
        min={0}
        max={max / UNITS[unit]}
        allowNegative={false}
        allowDecimal={unit !== 'minutes'}
        error={error}
        readOnly={readOnly}
        onChange={(n) => {
          if (typeof n === 'number') onChange(Math.round(n * UNITS[unit]))
        }}
        onBlur={({ currentTarget }) => {
          // An emptied field shows the duration that is kept.
          if (currentTarget.value === '') setEmptied(emptied + 1)
        }}
      />
      <Select
        aria-label={t('unit_of', { name: label })}
        data={units.map((name) => ({ value: name, label: t(name) }))}
        value={unit}
        readOnly={readOnly}
        allowDeselect={false}
        onChange={(chosen) => {
          const next = chosen ?? 'minutes'
          onChange(Math.min(max, Math.round((value / UNITS[unit]) * UNITS[next])))
          setUnit(next)
        }}
      />
    </div>
  )
}

function widestUnit(minutes: number): Unit {
  if (minutes > 0 && minutes % UNITS.days === 0) return 'days'
  return minutes > 0 && minutes % UNITS.hours === 0 ? 'hours' : 'minutes'
}
