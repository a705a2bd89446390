import { Switch } from '@mantine/core'
import type { CompanyView } from '../../contract/dashboard/company.ts'
import { DASHBOARD_LIMITS } from '../../core/limits/http.ts'
import { WEEKDAYS } from '../../rules/flows/opening-hours.ts'
import { accountApi } from '../app/resources.ts'
import { Form, useApiForm } from '../parts/form.tsx'
import { Panel } from '../parts/Page.tsx'
import { hoursToSend, WeekHours, type WeekHoursValue } from '../parts/WeekHours.tsx'
import { useZoneName } from '../parts/ZoneSelect.tsx'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import { settingsWords } from './words-settings.ts'

type Values = { isAlwaysOpen: boolean; openingHours: WeekHoursValue }

/** A form for the opening hours by weekday, in the project's zone. */
export function OpeningHours({ company }: { company: CompanyView }) {
  const zoneName = useZoneName()
  const t = useWords(settingsWords)
  const values: Values = {
    isAlwaysOpen: company.openingHours === null,
    openingHours: Object.fromEntries(
      WEEKDAYS.map((day) => [day, company.openingHours?.[day] ?? []]),
    ),
  }
  const form = useApiForm<Values>({
    values,
    version: JSON.stringify(values),
    onSubmit: async ({ isAlwaysOpen, openingHours }) => {
      const json = { openingHours: isAlwaysOpen ? null : hoursToSend(openingHours) }
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
            <WeekHours
              form={form}
              name="openingHours"
              maxRanges={DASHBOARD_LIMITS.openRangesOfDay}
            />
            <p className={layout.help}>{t('hours_help')}</p>
          </div>
        )}
      </Form>
    </Panel>
  )
}
