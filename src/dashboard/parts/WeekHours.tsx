import { Button, TextInput } from '@mantine/core'
import type { FieldValues, Path, PathValue } from 'react-hook-form'
import { WEEKDAYS, type Weekday } from '../../rules/flows/opening-hours.ts'
import { withLatinDigits } from '../../rules/text/latin-digits.ts'
import { useWords } from '../words/use-words.tsx'
import type { ApiForm } from './form.tsx'
import { Icon } from './Icon.tsx'
import { IconButton } from './IconButton.tsx'
import layout from './layout.module.css'
import styles from './week-hours.module.css'
import { weekHoursWords } from './words-week-hours.ts'

type Range = { from: string; to: string }

/** The hours of each weekday; a day without hours is closed. */
export type WeekHoursValue = { [Day in Weekday]?: Range[] | undefined }

const NEW_RANGE: Range = { from: '09:00', to: '17:00' }

/** Returns the hours as the API expects them: Latin digits, and two digits for the hour. */
export function hoursToSend(hours: WeekHoursValue): { [Day in Weekday]: Range[] } {
  return Object.fromEntries(WEEKDAYS.map((day) => [day, (hours[day] ?? []).map(rangeToSend)])) as {
    [Day in Weekday]: Range[]
  }
}

/** Returns one range as the API expects it, like the ranges of `hoursToSend`. */
export function rangeToSend({ from, to }: Range): Range {
  return { from: timeIn(from), to: timeIn(to) }
}

function timeIn(text: string): string {
  const time = withLatinDigits(text).trim()
  return /^\d:\d\d$/.test(time) ? `0${time}` : time
}

type WeekHoursProps<Values extends FieldValues> = {
  form: ApiForm<Values>
  /** The field of the form that has a `WeekHoursValue`. */
  name: Path<Values>
  /** The maximum number of ranges of a day. */
  maxRanges: number
}

/** Fields for the hours of each weekday. The first hours of a day are those of the day before. */
export function WeekHours<Values extends FieldValues>(props: WeekHoursProps<Values>) {
  const hours: WeekHoursValue = props.form.watch(props.name)
  return (
    <div>
      {WEEKDAYS.map((day, at) => {
        const before = hours[WEEKDAYS.at(at - 1)!] ?? []
        const usual = before.length > 0 ? before : [NEW_RANGE]
        return <Day key={day} {...props} day={day} ranges={hours[day] ?? []} usual={usual} />
      })}
    </div>
  )
}

function Day<Values extends FieldValues>({
  form,
  name,
  maxRanges,
  day,
  ranges,
  usual,
}: WeekHoursProps<Values> & {
  day: Weekday
  ranges: readonly Range[]
  /** The hours that a closed day opens with. */
  usual: readonly Range[]
}) {
  const t = useWords(weekHoursWords)
  const path = `${name}.${day}` as Path<Values>
  const named = { day: t(day) }
  const change = (next: readonly Range[]) => {
    form.clearErrors(path)
    form.setValue(path, [...next] as PathValue<Values, Path<Values>>)
  }
  const time = (at: number, edge: 'from' | 'to') => (
    <TextInput
      aria-label={t(`${edge}_of`, named)}
      dir="ltr"
      w={84}
      inputMode="numeric"
      {...form.field(`${path}.${at}.${edge}` as Path<Values>)}
    />
  )
  return (
    <div className={styles.day}>
      <span>{t(day)}</span>
      <div className={styles.ranges}>
        {ranges.length === 0 && <span className={layout.help}>{t('closed')}</span>}
        {ranges.map((_, at) => (
          <div key={at}>
            <div className={layout.row}>
              {time(at, 'from')}
              <span>{t('to')}</span>
              {time(at, 'to')}
              <IconButton
                icon="close"
                label={t('remove_of', named)}
                onClick={() => change(ranges.filter((_range, other) => other !== at))}
              />
            </div>
            <Wrong text={form.errorOf(`${path}.${at}` as Path<Values>)} />
          </div>
        ))}
        {ranges.length < maxRanges && (
          <div>
            <Button
              size="xs"
              variant="subtle"
              aria-label={t('add_of', named)}
              leftSection={<Icon name="plus" size={13} />}
              onClick={() => change(ranges.length === 0 ? usual : [...ranges, NEW_RANGE])}
            >
              {t('add')}
            </Button>
          </div>
        )}
      </div>
    </div>
  )
}

function Wrong({ text }: { text: string | undefined }) {
  if (text === undefined) return null
  return (
    <p role="alert" style={{ margin: 0, color: 'var(--w-bad)' }}>
      {text}
    </p>
  )
}
