import { Popover, TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { now } from '../words/now.ts'
import { IconButton } from './IconButton.tsx'
import { useWords } from '../words/use-words.tsx'
import { MonthGrid } from './MonthGrid.tsx'
import layout from './layout.module.css'
import styles from './time-field.module.css'
import { readTyped, writeTyped, type TimeForm } from './typed-time.ts'
import { partsWords } from './words.ts'
import { dayTextOf } from '../words/format.ts'
import { useManner } from '../words/language.ts'

const NOON = '12:00'

/**
 * A field for a day, a time or both, which is typed; the day can also be chosen from a calendar. The format does not
 * depend on the browser's language. An incomplete text changes nothing; an invalid one counts as empty when the field
 * loses the focus.
 */
export function TimeField({
  form,
  value,
  onChange,
  error,
  ...rest
}: {
  form: TimeForm
  /** The time in the form that `typed-time` defines. */
  value: string
  onChange(value: string): void
} & Omit<TextInputProps, 'form' | 'value' | 'onChange' | 'rightSection'>) {
  const t = useWords(partsWords)
  const { lastValue, typed, isWrong, type, choose, leave } = useTyped(form, value, onChange)
  const [isOpen, setOpen] = useState(false)
  const { timeShown } = useManner()
  const example = writeTyped(form, `${dayTextOf(now(), timeShown)}T${NOON}`)
  const shown = form === 'clock' ? NOON : example
  const field = (
    <TextInput
      {...rest}
      classNames={{ input: layout.ltr! }}
      inputMode={form === 'clock' ? 'numeric' : 'text'}
      autoComplete="off"
      placeholder={shown}
      value={typed}
      error={isWrong ? t('time_as', { example: shown }) : error}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={leave}
      onKeyDown={(event) => {
        if (event.key === 'Enter') leave()
      }}
      {...(form !== 'clock' && {
        rightSection: (
          <IconButton
            icon="calendar"
            label={t('choose_day')}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          />
        ),
      })}
    />
  )
  if (form === 'clock') return field
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      trapFocus
      returnFocus
      withinPortal={false}
      withRoles={false}
    >
      <Popover.Target>
        <div className={styles.field}>{field}</div>
      </Popover.Target>
      <Popover.Dropdown>
        <MonthGrid
          day={lastValue.split('T')[0] ?? ''}
          onChoose={(day) => {
            choose(day)
            setOpen(false)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

/** Holds the typed text, and the value last passed in, so that a new value from outside replaces the text. */
function useTyped(form: TimeForm, value: string, onChange: (value: string) => void) {
  const [lastValue, setLastValue] = useState(value)
  const [typed, setTyped] = useState(() => writeTyped(form, value))
  const [isLeft, setLeft] = useState(false)
  if (value !== lastValue) {
    setLastValue(value)
    setTyped(writeTyped(form, value))
  }
  const read = readTyped(form, typed)
  const report = (next: string) => {
    if (next === lastValue) return
    setLastValue(next)
    onChange(next)
  }
  return {
    lastValue,
    typed,
    isWrong: isLeft && read === null,
    type(text: string) {
      setTyped(text)
      setLeft(false)
      const next = readTyped(form, text)
      if (next !== null) report(next)
    },
    leave() {
      setLeft(true)
      if (read !== null) setTyped(writeTyped(form, read))
      else report('')
    },
    choose(day: string) {
      const clock = lastValue.split('T')[1] ?? NOON
      const next = form === 'moment' ? `${day}T${clock}` : day
      setTyped(writeTyped(form, next))
      report(next)
    },
  }
}
