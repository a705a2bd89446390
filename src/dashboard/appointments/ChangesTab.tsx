import { Checkbox, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApiForm } from '../parts/form.tsx'
import type { OpeningChangeView } from '../../contract/dashboard/booking-setup.ts'
import { useApi } from '../app/resources.ts'
import { useMay } from '../app/session.ts'
import { diffValues } from '../parts/diff-values.ts'
import { AddButton } from '../parts/AddButton.tsx'
import { Listing } from '../parts/ListPage.tsx'
import { Empty } from '../parts/Page.tsx'
import { Pill } from '../parts/Pill.tsx'
import { TimeField } from '../parts/TimeField.tsx'
import { rangeToSend } from '../parts/WeekHours.tsx'
import { useWords } from '../words/use-words.tsx'
import { SetupForm } from './SetupForm.tsx'
import layout from '../parts/layout.module.css'
import styles from './setup.module.css'
import { useChanges, useResources, useShopZone } from './use-calendar.ts'
import { useNamed } from '../words/use-named.ts'
import { dayText, readDay } from './typed-values.ts'
import { todayIn, useWallFormat } from './wall.ts'
import { setupWords } from './words-setup.ts'

/** The tab that lists holidays and special hours on single days, and opens a form to add or change one. */
export function ChangesTab() {
  const t = useWords(setupWords)
  const may = useMay()
  const named = useNamed()
  const wall = useWallFormat()
  const resources = useResources()
  const changes = useChanges()
  const [open, setOpen] = useState<OpeningChangeView | 'new' | null>(null)
  const add = may.setUp && <AddButton onClick={() => setOpen('new')}>{t('add_change')}</AddButton>
  const whoOf = ({ resourceId }: OpeningChangeView) => {
    const resource = resources.find(({ id }) => id === resourceId)
    return resource ? named(resource) : t('everybody')
  }
  return (
    <>
      <Listing
        end={changes.length > 0 && add}
        label={t('tab_changes')}
        items={changes}
        empty={
          <Empty title={t('no_changes')} act={add}>
            {t('no_changes_why')}
          </Empty>
        }
        columns={[
          {
            head: t('days'),
            cell: (change) => (
              <button type="button" className={styles.open} onClick={() => setOpen(change)}>
                {change.firstDay === change.lastDay
                  ? wall.oneDay(readDay(change.firstDay)!)
                  : wall.days(readDay(change.firstDay)!, readDay(change.lastDay)!)}
              </button>
            ),
          },
          { head: t('what_for'), cell: ({ name }) => <bdi>{name}</bdi> },
          { head: t('whose'), cell: (change) => <bdi>{whoOf(change)}</bdi> },
          {
            head: t('hours'),
            cell: ({ hours }) =>
              hours === null ? (
                <Pill tone="off">{t('closed')}</Pill>
              ) : (
                t('from_to', { from: wall.clockOf(hours.from), to: wall.clockOf(hours.to) })
              ),
          },
        ]}
      />
      {open !== null && (
        <ChangeDialog change={open === 'new' ? null : open} onClose={() => setOpen(null)} />
      )}
    </>
  )
}

type Values = {
  resourceId: string | null
  firstDay: string
  lastDay: string
  isClosed: boolean
  hours: { from: string; to: string }
  name: string
}

function toJson({ resourceId: _stays, isClosed, hours, name, ...days }: Values) {
  return { ...days, hours: isClosed ? null : rangeToSend(hours), name: name === '' ? null : name }
}

type Change = { change: OpeningChangeView | null; onClose(): void }

function useChangeForm({ change, onClose }: Change) {
  const t = useWords(setupWords)
  const api = useApi()
  const today = dayText(todayIn(useShopZone()))
  const shown: Values = {
    resourceId: change?.resourceId ?? null,
    firstDay: change?.firstDay ?? today,
    lastDay: change?.lastDay ?? today,
    isClosed: change === null || change.hours === null,
    hours: change?.hours ?? { from: '09:00', to: '17:00' },
    name: change?.name ?? '',
  }
  return useApiForm<Values>({
    values: shown,
    onSubmit: (values) =>
      change === null
        ? api.post('opening-changes', { ...toJson(values), resourceId: values.resourceId })
        : api.patch(
            'opening-changes/:changeId',
            { changeId: change.id },
            diffValues(toJson(shown), toJson(values)),
          ),
    done: t('change_saved'),
    onDone: onClose,
  })
}

function ChangeDialog({ change, onClose }: Change) {
  const t = useWords(setupWords)
  const named = useNamed()
  const api = useApi()
  const resources = useResources()
  const form = useChangeForm({ change, onClose })
  const isClosed = form.watch('isClosed')
  const title = t(change === null ? 'add_change' : 'edit_change')
  return (
    <SetupForm
      title={title}
      form={form}
      deletion={
        change && {
          name: change.name ?? change.firstDay,
          why: t('delete_change_why'),
          send: () => api.delete('opening-changes/:changeId', { changeId: change.id }),
        }
      }
      onClose={onClose}
    >
      <div className={styles.row}>
        {(['firstDay', 'lastDay'] as const).map((edge) => (
          <TimeField
            key={edge}
            form="day"
            label={t(edge === 'firstDay' ? 'first_day' : 'last_day')}
            {...form.pick(edge)}
          />
        ))}
      </div>
      {change === null && (
        <Select
          label={t('whose')}
          placeholder={t('everybody')}
          clearable

          data={resources.map((one) => ({ value: one.id, label: named(one) }))}
          {...form.pick('resourceId')}
        />
      )}
      <Checkbox label={t('closed_all_day')} {...form.check('isClosed')} />
      {!isClosed && (
        <div className={styles.row}>
          {(['from', 'to'] as const).map((edge) => (
            <TextInput
              key={edge}
              label={t(edge)}
              classNames={{ input: layout.ltr! }}
              {...form.field(`hours.${edge}`)}
            />
          ))}
        </div>
      )}
      <TextInput label={t('what_for')} description={t('what_for_why')} {...form.field('name')} />
    </SetupForm>
  )
}
