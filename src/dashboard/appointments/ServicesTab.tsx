import { MultiSelect, Switch } from '@mantine/core'
import { useState } from 'react'
import { useApiForm } from '../parts/form.tsx'
import type { ResourceView, ServiceView } from '../../contract/dashboard/booking-setup.ts'
import { BOOKING_SETUP_LIMITS as LIMITS } from '../../core/limits/appointments.ts'
import { RESOURCE_KINDS } from '../../core/vocabulary/appointments.ts'
import { useApi } from '../app/resources.ts'
import { useMay } from '../app/session.ts'
import { diffValues } from '../parts/diff-values.ts'
import { AddButton } from '../parts/AddButton.tsx'
import { Listing } from '../parts/ListPage.tsx'
import { Banner, Empty } from '../parts/Page.tsx'
import { Pill } from '../parts/Pill.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import { MinutesField, NameFields, SetupForm } from './SetupForm.tsx'
import styles from './setup.module.css'
import { useResources, useServices } from './use-calendar.ts'
import { useNamed } from '../words/use-named.ts'
import { setupWords } from './words-setup.ts'

/** The tab that lists the services that customers can book, and opens a form to add or change one. */
export function ServicesTab() {
  const t = useWords(setupWords)
  const may = useMay()
  const named = useNamed()
  const format = useFormat()
  const services = useServices()
  const resources = useResources()
  const [open, setOpen] = useState<ServiceView | 'new' | null>(null)
  const add = may.setUp && <AddButton onClick={() => setOpen('new')}>{t('add_service')}</AddButton>
  const namesOf = ({ needs }: ServiceView) =>
    resources.filter(({ id }) => needs.some((need) => need.resourceId === id)).map(named)
  return (
    <>
      <Listing
        end={services.length > 0 && add}
        label={t('tab_services')}
        items={services}
        empty={
          <Empty title={t('no_services')} act={add}>
            {t('no_services_why')}
          </Empty>
        }
        columns={[
          {
            head: t('name'),
            cell: (service) => (
              <button type="button" className={styles.open} onClick={() => setOpen(service)}>
                <bdi>{named(service)}</bdi>
              </button>
            ),
          },
          { head: t('length'), cell: ({ minutes }) => format.duration(minutes * 60_000) },
          { head: t('done_by'), cell: (service) => <bdi>{format.list(namesOf(service))}</bdi> },
          {
            head: t('state'),
            cell: ({ isOn, canBeBooked }) =>
              !isOn ? (
                <Pill tone="off">{t('off')}</Pill>
              ) : canBeBooked ? (
                <Pill tone="ok">{t('can_be_booked')}</Pill>
              ) : (
                <Pill tone="warn">{t('nobody_has_hours')}</Pill>
              ),
          },
        ]}
      />
      {open !== null && (
        <ServiceDialog
          service={open === 'new' ? null : open}
          resources={resources}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  )
}

type Values = {
  name: string
  nameAr: string
  minutes: number
  beforeMin: number
  afterMin: number
  stepMin: number
  isOn: boolean
  person: string[]
  room: string[]
}

/**
 * Returns the resources by kind, where one of each kind takes part. Returns null if the service's roles are more
 * complex.
 */
function needsByKind(
  service: ServiceView | null,
  resources: readonly ResourceView[],
): { person: string[]; room: string[] } | null {
  const byKind = { person: [] as string[], room: [] as string[] }
  const roles = { person: new Set<string>(), room: new Set<string>() }
  for (const { resourceId, role } of service?.needs ?? []) {
    const kind = resources.find(({ id }) => id === resourceId)?.kind
    if (!kind) continue
    byKind[kind].push(resourceId)
    roles[kind].add(role)
  }
  const shared = [...roles.person].some((role) => roles.room.has(role))
  return roles.person.size > 1 || roles.room.size > 1 || shared ? null : byKind
}

function toJson({ person, room, nameAr, ...rest }: Values) {
  const roleOf = (kind: string) => (person.length > 0 && room.length > 0 ? kind : '')
  return {
    ...rest,
    nameAr: nameAr === '' ? null : nameAr,
    needs: [
      ...person.map((resourceId) => ({ resourceId, role: roleOf('person') })),
      ...room.map((resourceId) => ({ resourceId, role: roleOf('room') })),
    ],
  }
}

function ServiceDialog({
  service,
  resources,
  onClose,
}: {
  service: ServiceView | null
  resources: readonly ResourceView[]
  onClose(): void
}) {
  const t = useWords(setupWords)
  const named = useNamed()
  const api = useApi()
  const needs = needsByKind(service, resources)
  const shown: Values = {
    name: service?.name ?? '',
    nameAr: service?.nameAr ?? '',
    minutes: service?.minutes ?? 30,
    beforeMin: service?.beforeMin ?? 0,
    afterMin: service?.afterMin ?? 0,
    stepMin: service?.stepMin ?? 30,
    isOn: service?.isOn ?? true,
    person: needs?.person ?? [],
    room: needs?.room ?? [],
  }
  const form = useApiForm<Values>({
    values: shown,
    onSubmit: async (values) => {
      // Needs that this form cannot show are kept: the form neither shows nor sends them.
      await (service === null
        ? api.post('services', toJson(values))
        : api.patch(
            'services/:serviceId',
            { serviceId: service.id },
            diffValues(toJson(shown), toJson(values)),
          ))
      toastSuccess(t('saved', { name: values.name }))
    },
    onDone: onClose,
  })
  return (
    <SetupForm
      title={service === null ? t('add_service') : named(service)}
      form={form}
      deletion={
        service && {
          name: named(service),
          why: t('delete_service_why'),
          send: () => api.delete('services/:serviceId', { serviceId: service.id }),
        }
      }
      onClose={onClose}
    >
      <NameFields form={form} />
      <div className={styles.row}>
        <MinutesField form={form} name="minutes" max={LIMITS.minutes} />
        <MinutesField form={form} name="stepMin" max={LIMITS.stepMin} />
        <MinutesField form={form} name="beforeMin" max={LIMITS.bufferMin} />
        <MinutesField form={form} name="afterMin" max={LIMITS.bufferMin} />
      </div>
      {needs === null ? (
        <Banner tone="off" title={t('roles_kept')} />
      ) : (
        RESOURCE_KINDS.map((kind) => (
          <MultiSelect
            key={kind}
            label={t(`one_${kind}_of`)}
            data={resources
              .filter((one) => one.kind === kind)
              .map((one) => ({ value: one.id, label: named(one) }))}
            {...form.pick(kind)}
          />
        ))
      )}
      <Switch label={t('is_on_service')} {...form.check('isOn')} />
    </SetupForm>
  )
}
