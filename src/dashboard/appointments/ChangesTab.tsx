import { Button, Checkbox, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Field, FormFoot, useApiForm } from '../parts/form.tsx'
import type { OpeningChangeView } from '../../contract/dashboard/booking-setup.ts'
import { useApi } from '../app/resources.ts'
import { useMay } from '../app/session.ts'
import { changesOf } from '../parts/changes-of.ts'
import { Icon } from '../parts/Icon.tsx'
import { ListTable, Toolbar } from '../parts/List.tsx'
import { Empty } from '../parts/Page.tsx'
import { Pill } from '../parts/Pill.tsx'
import { TimeField } from '../parts/TimeField.tsx'
import { useWords } from '../words/use-words.tsx'
import { DeleteButton, SetupDialog } from './SetupDialog.tsx'
import styles from './setup.module.css'
import { READ, useChanges, useResources, useShopZone } from './use-calendar.ts'
import { dayText, readDay, todayIn, useNamed, useWallFormat } from './wall.ts'
import { setupWords } from './words-setup.ts'

/** Holidays and other hours on some days. */
export function ChangesTab() {
  const t = useWords(setupWords)
  const may = useMay()
  const named = useNamed()
  const wall = useWallFormat()
  const resources = useResources()
  const changes = useChanges()
  const [open, setOpen] = useState<OpeningChangeView | 'new' | null>(null)
  const add = may.setUp && (
    <Button variant="filled" leftSection={<Icon name="plus" />} onClick={() => setOpen('new')}>
      {t('add_change')}
    </Button>
  )
  const whoOf = ({ resourceId }: OpeningChangeView) => {
    const resource = resources.find(({ id }) => id === resourceId)
    return resource ? named(resource) : t('everybody')
  }
  return (
    <>
      {changes.length > 0 && <Toolbar end={add}>{null}</Toolbar>}
      <ListTable
        label={t('tab_changes')}
        list={READ}
        items={changes}
        empty={
          <Empty title={t('no_changes')} act={add}>
            {t('no_changes_why')}
          </Empty>
        }
        columns={[
          {
            key: 'days',
            head: t('days'),
            cell: (change) => (
              <button type="button" className={styles.open} onClick={() => setOpen(change)}>
                {change.firstDay === change.lastDay
                  ? wall.oneDay(readDay(change.firstDay)!)
                  : wall.days(readDay(change.firstDay)!, readDay(change.lastDay)!)}
              </button>
            ),
          },
          { key: 'name', head: t('what_for'), cell: ({ name }) => <bdi>{name}</bdi> },
          { key: 'who', head: t('whose'), cell: (change) => <bdi>{whoOf(change)}</bdi> },
          {
            key: 'hours',
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
  return { ...days, hours: isClosed ? null : hours, name: name === '' ? null : name }
}

function ChangeDialog({ change, onClose }: { change: OpeningChangeView | null; onClose(): void }) {
  const t = useWords(setupWords)
  const may = useMay()
  const named = useNamed()
  const api = useApi()
  const zone = useShopZone()
  const resources = useResources()
  const today = dayText(todayIn(zone))
  const shown: Values = {
    resourceId: change?.resourceId ?? null,
    firstDay: change?.firstDay ?? today,
    lastDay: change?.lastDay ?? today,
    isClosed: change === null || change.hours === null,
    hours: change?.hours ?? { from: '09:00', to: '17:00' },
    name: change?.name ?? '',
  }
  const form = useApiForm<Values>({
    values: shown,
    onSubmit: async (values) => {
      const { resourceId } = values
      await (change === null
        ? api.post('opening-changes', { ...toJson(values), resourceId })
        : api.patch(
            'opening-changes/:changeId',
            { changeId: change.id },
            changesOf(toJson(shown), toJson(values)),
          ))
    },
    done: t('change_saved'),
    onDone: onClose,
  })
  const isClosed = form.watch('isClosed')
  const title = t(change === null ? 'add_change' : 'edit_change')
  return (
    <SetupDialog title={title} onClose={onClose}>
      <form onSubmit={form.submit} className={styles.form} noValidate>
        <fieldset disabled={!may.setUp} className={styles.plain}>
          <div className={styles.row}>
            <TimeField
              form="day"
              label={t('first_day')}
              error={form.errorOf('firstDay')}
              value={form.watch('firstDay')}
              onChange={(day) => form.setValue('firstDay', day, { shouldDirty: true })}
            />
            <TimeField
              form="day"
              label={t('last_day')}
              error={form.errorOf('lastDay')}
              value={form.watch('lastDay')}
              onChange={(day) => form.setValue('lastDay', day, { shouldDirty: true })}
            />
          </div>
          {change === null && (
            <Field form={form} name="resourceId">
              {(field) => (
                <Select
                  label={t('whose')}
                  placeholder={t('everybody')}
                  clearable
                  value={field.value}
                  data={resources.map((one) => ({ value: one.id, label: named(one) }))}
                  onChange={field.onChange}
                />
              )}
            </Field>
          )}
          <Checkbox
            label={t('closed_all_day')}
            checked={isClosed}
            onChange={(event) => form.setValue('isClosed', event.currentTarget.checked)}
          />
          {!isClosed && (
            <div className={styles.row}>
              {(['from', 'to'] as const).map((edge) => (
                <TextInput
                  key={edge}
                  label={t(edge)}
                  classNames={{ input: styles.ltr! }}
                  {...form.field(`hours.${edge}`)}
                />
              ))}
            </div>
          )}
          <TextInput
            label={t('what_for')}
            description={t('what_for_why')}
            {...form.field('name')}
          />
        </fieldset>
        {may.setUp && (
          <FormFoot form={form} act={t('save')}>
            {change !== null && (
              <DeleteButton
                name={change.name ?? change.firstDay}
                why={t('delete_change_why')}
                onDone={onClose}
                onDelete={() => api.delete('opening-changes/:changeId', { changeId: change.id })}
              />
            )}
          </FormFoot>
        )}
      </form>
    </SetupDialog>
  )
}
