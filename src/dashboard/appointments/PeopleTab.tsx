import { SegmentedControl, Switch } from '@mantine/core'
import { useState } from 'react'
import { useApiForm } from '../parts/form.tsx'
import type { ResourceView } from '../../contract/dashboard/booking-setup.ts'
import { BOOKING_SETUP_LIMITS } from '../../core/limits/appointments.ts'
import { WEEKDAYS } from '../../rules/flows/opening-hours.ts'
import { RESOURCE_KINDS, type ResourceKind } from '../../core/vocabulary/appointments.ts'
import { useApi } from '../app/resources.ts'
import { useMay } from '../app/session.ts'
import { diffValues } from '../parts/diff-values.ts'
import { AddButton } from '../parts/AddButton.tsx'
import { Listing } from '../parts/ListPage.tsx'
import { Empty } from '../parts/Page.tsx'
import { Pill } from '../parts/Pill.tsx'
import { hoursToSend, WeekHours, type WeekHoursValue } from '../parts/WeekHours.tsx'
import { useZoneName, ZoneSelect } from '../parts/ZoneSelect.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { useWords } from '../words/use-words.tsx'
import { NameFields, SetupForm } from './SetupForm.tsx'
import styles from './setup.module.css'
import { useResources, useShopZone } from './use-calendar.ts'
import { useNamed } from '../words/use-named.ts'
import { setupWords } from './words-setup.ts'

/** The tab that lists people and rooms that can be booked, and opens a form to add or change one. */
export function PeopleTab() {
  const t = useWords(setupWords)
  const may = useMay()
  const named = useNamed()
  const resources = useResources()
  const [open, setOpen] = useState<ResourceView | 'new' | null>(null)
  const add = may.setUp && <AddButton onClick={() => setOpen('new')}>{t('add_person')}</AddButton>
  return (
    <>
      <Listing
        end={resources.length > 0 && add}
        label={t('tab_people')}
        items={resources}
        empty={
          <Empty title={t('no_people')} act={add}>
            {t('no_people_why')}
          </Empty>
        }
        columns={[
          {
            head: t('name'),
            cell: (resource) => (
              <button type="button" className={styles.open} onClick={() => setOpen(resource)}>
                <bdi>{named(resource)}</bdi>
              </button>
            ),
          },
          { head: t('kind'), cell: ({ kind }) => t(kind) },
          {
            head: t('days_open'),
            cell: ({ hours }) =>
              t('days_a_week', {
                n: WEEKDAYS.filter((day) => (hours[day]?.length ?? 0) > 0).length,
              }),
          },
          {
            head: t('state'),
            cell: ({ isOn }) => <Pill tone={isOn ? 'ok' : 'off'}>{t(isOn ? 'on' : 'off')}</Pill>,
          },
        ]}
      />
      {open !== null && (
        <PersonDialog resource={open === 'new' ? null : open} onClose={() => setOpen(null)} />
      )}
    </>
  )
}

type Values = {
  name: string
  nameAr: string
  kind: ResourceKind
  zone: string
  isOn: boolean
  hours: WeekHoursValue
}

function toJson({ kind: _stays, nameAr, zone, hours, ...rest }: Values) {
  return {
    ...rest,
    nameAr: nameAr === '' ? null : nameAr,
    zone: zone === '' ? null : zone,
    hours: Object.fromEntries(
      Object.entries(hoursToSend(hours)).filter(([, ranges]) => ranges.length > 0),
    ),
  }
}

function PersonDialog({ resource, onClose }: { resource: ResourceView | null; onClose(): void }) {
  const t = useWords(setupWords)
  const named = useNamed()
  const api = useApi()
  const shopZone = useShopZone()
  const zoneName = useZoneName()
  const shown: Values = {
    name: resource?.name ?? '',
    nameAr: resource?.nameAr ?? '',
    kind: resource?.kind ?? 'person',
    zone: resource?.zone ?? '',
    isOn: resource?.isOn ?? true,
    hours: resource?.hours ?? {},
  }
  const form = useApiForm<Values>({
    values: shown,
    onSubmit: async (values) => {
      const { kind, name } = values
      await (resource === null
        ? api.post('resources', { ...toJson(values), kind })
        : api.patch(
            'resources/:resourceId',
            { resourceId: resource.id },
            diffValues(toJson(shown), toJson(values)),
          ))
      toastSuccess(t('saved', { name }))
    },
    onDone: onClose,
  })
  return (
    <SetupForm
      title={resource === null ? t('add_person') : named(resource)}
      form={form}
      deletion={
        resource && {
          name: named(resource),
          why: t('delete_person_why'),
          send: () => api.delete('resources/:resourceId', { resourceId: resource.id }),
        }
      }
      onClose={onClose}
    >
      {resource === null && (
        <SegmentedControl
          aria-label={t('kind')}
          value={form.watch('kind')}
          data={RESOURCE_KINDS.map((value) => ({ value, label: t(value) }))}
          onChange={(value) => form.setValue('kind', value)}
        />
      )}
      <NameFields form={form} />
      <fieldset className={styles.plain}>
        <legend className={styles.legend}>{t('hours')}</legend>
        <p className={styles.faint}>{t('hours_why')}</p>
        <WeekHours form={form} name="hours" maxRanges={BOOKING_SETUP_LIMITS.hoursOfDay} />
      </fieldset>
      <ZoneSelect
        label={t('zone')}
        description={t('zone_why', { zone: zoneName(shopZone) })}
        usual={shopZone}
        {...form.pick('zone')}
      />
      <Switch label={t('is_on_person')} {...form.check('isOn')} />
    </SetupForm>
  )
}
