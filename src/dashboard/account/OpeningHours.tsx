import { Button, Switch, TextInput } from '@mantine/core'
import type { CompanyView } from '../../contract/dashboard/company.ts'
import { DASHBOARD_LIMITS } from '../../core/limits/http.ts'
import { WEEKDAYS, type Weekday } from '../../rules/flows/opening-hours.ts'
import { withLatinDigits } from '../../rules/text/latin-digits.ts'
import { accountApi } from '../app/resources.ts'
import { type ApiForm, Form, useApiForm } from '../parts/form.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Panel } from '../parts/Page.tsx'
import { useZoneName } from '../parts/ZoneSelect.tsx'
import { IconButton } from '../parts/IconButton.tsx'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './account.module.css'
import { settingsWords } from './words-settings.ts'

type Range = { from: string; to: string }
type Values = { isAlwaysOpen: boolean; openingHours: Record<Weekday, Range[]> }

const NEW_RANGE: Range = { from: '09:00', to: '17:00' }

/** A form for the opening hours by weekday, in the project's zone. */
export function OpeningHours({ company }: { company: CompanyView }) {
  const zoneName = useZoneName()
  const t = useWords(settingsWords)
  const values: Values = {
    isAlwaysOpen: company.openingHours === null,
    openingHours: Object.fromEntries(
      WEEKDAYS.map((day) => [day, company.openingHours?.[day] ?? []]),
    ) as Record<Weekday, Range[]>,
  }
  const form = useApiForm<Values>({
    values,
    version: JSON.stringify(values),
    onSubmit: async ({ isAlwaysOpen, openingHours }) => {
      const hours = Object.fromEntries(
        WEEKDAYS.map((day) => [
          day,
          openingHours[day].map(({ from, to }) => ({ from: timeIn(from), to: timeIn(to) })),
        ]),
      )
      const json = { openingHours: isAlwaysOpen ? null : hours }
      await accountApi.patch('/companies/:companyId', { companyId: company.id }, json)
    },
    done: t('saved'),
  })
  const isAlwaysOpen = form.watch('isAlwaysOpen')
  return (
    <Panel title={t('hours')}>
      <Form form={form}>
        <p className={layout.help}>{t('hours_lead', { zone: zoneName(company.timeZone) })}</p>
        <Switch
          label={t('hours_open')}
          description={t('hours_open_help')}
          {...form.check('isAlwaysOpen')}
        />
        {!isAlwaysOpen && (
          <div>
            {WEEKDAYS.map((day) => (
              <Day key={day} day={day} form={form} />
            ))}
            <p className={layout.help}>{t('hours_help')}</p>
          </div>
        )}
      </Form>
    </Panel>
  )
}

function timeIn(text: string): string {
  const time = withLatinDigits(text).trim()
  return /^\d:\d\d$/.test(time) ? `0${time}` : time
}

function Day({ day, form }: { day: Weekday; form: ApiForm<Values> }) {
  const t = useWords(settingsWords)
  const ranges = form.watch(`openingHours.${day}`)
  const change = (next: Range[]) => {
    form.clearErrors(`openingHours.${day}`)
    form.setValue(`openingHours.${day}`, next)
  }
  return (
    <div className={styles.day}>
      <span>{t(day)}</span>
      <div className={styles.ranges}>
        {ranges.length === 0 && <span className={layout.help}>{t('closed')}</span>}
        {ranges.map((_, at) => (
          <div key={at}>
            <div className={layout.row}>
              <TextInput
                aria-label={t('from_of', { day: t(day) })}
                dir="ltr"
                w={84}
                inputMode="numeric"
                {...form.field(`openingHours.${day}.${at}.from`)}
              />
              <span>{t('to')}</span>
              <TextInput
                aria-label={t('to_of', { day: t(day) })}
                dir="ltr"
                w={84}
                inputMode="numeric"
                {...form.field(`openingHours.${day}.${at}.to`)}
              />
              <IconButton
                icon="close"
                label={t('take', { day: t(day) })}
                onClick={() => change(ranges.filter((_range, other) => other !== at))}
              />
            </div>
            <Wrong text={form.errorOf(`openingHours.${day}.${at}`)} />
          </div>
        ))}
        {ranges.length < DASHBOARD_LIMITS.openRangesOfDay && (
          <div>
            <Button
              size="xs"
              variant="subtle"
              aria-label={t('add_of', { day: t(day) })}
              leftSection={<Icon name="plus" size={13} />}
              onClick={() => change([...ranges, NEW_RANGE])}
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
