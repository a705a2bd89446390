import { SegmentedControl, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ArrangedAppointment } from '../../contract/dashboard/appointment.ts'
import type { ServiceView } from '../../contract/dashboard/booking-setup.ts'
import { MINUTE_MS } from '../../core/limits/units.ts'
import type { Country } from '../../core/vocabulary/countries.ts'
import { useApi } from '../app/resources.ts'
import { newKey } from '../app/new-key.ts'
import type { ChosenCountry } from '../parts/chosen-country.ts'
import { useChosenCountry } from '../parts/use-chosen-country.ts'
import { PhoneField } from '../parts/PhoneField.tsx'
import { FormFoot, useApiForm, type ApiForm } from '../parts/form.tsx'
import { Modal } from '../parts/Modal.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { useLanguage } from '../words/language.ts'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './appointments.module.css'
import { ContactPicker } from '../parts/ContactPicker.tsx'
import { PickTime } from './PickTime.tsx'
import { Taken, useTaken } from './Taken.tsx'
import { useResources, useServices, useShopZone } from './use-calendar.ts'
import { useNamed } from '../words/use-named.ts'
import { dayOfWall, instantOf, useWallFormat, wallOf } from './wall.ts'
import { bookWords } from './words-book.ts'

/** The chosen day, and perhaps a time of that day in minutes from midnight. */
export type Wanted = { day: number; minutes: number | null }

type Values = {
  serviceId: string
  resourceId: string | null
  startsAt: string | null
  contactId: string | null
  name: string
  phone: string
  country: ChosenCountry
  email: string
}

type Booking = {
  wanted: Wanted
  onClose(): void
  onBooked(booked: { id: string; day: number }): void
}

/** The form of a booking; when the time was taken meanwhile, other times are offered. */
function useBooking({ wanted, onClose, onBooked }: Booking, isNew: boolean) {
  const t = useWords(bookWords)
  const wall = useWallFormat()
  const api = useApi()
  const zone = useShopZone()
  const services = useServices().filter(({ isOn }) => isOn)
  // The idempotency key of one booking, however often the button is pressed.
  const [key] = useState(newKey)
  const taken = useTaken()
  const countryOf = useChosenCountry()
  const form: ApiForm<Values> = useApiForm<Values>({
    values: {
      serviceId: services.length === 1 ? services[0]!.id : '',
      resourceId: null,
      startsAt:
        wanted.minutes === null ? null : instantOf(zone, wanted.day + wanted.minutes * MINUTE_MS),
      contactId: null,
      name: '',
      phone: '',
      country: 'company',
      email: '',
    },
    onSubmit: async (values) => {
      const { serviceId, resourceId, startsAt } = values
      if (serviceId === '') return form.setError('serviceId', { message: t('choose_service') })
      if (startsAt === null) return form.setError('startsAt', { message: t('choose_time') })
      if (!isNew && values.contactId === null) {
        return form.setError('contactId', { message: t('choose_customer') })
      }
      const booked = await taken.attempt({ serviceId, resourceId, from: startsAt }, () =>
        api.post('appointments', {
          key,
          serviceId,
          resourceId,
          startsAt,
          ...customerOf({ ...values, country: countryOf(values.country) }, isNew),
        }),
      )
      if (booked) done(booked)
    },
  })
  const done = (booked: ArrangedAppointment) => {
    const start = wallOf(zone, booked.startsAt)
    const time = wall.dayAndTime(start)
    toastSuccess(
      booked.warnings[0] === undefined
        ? t('booked', { time })
        : t('booked_with_warning', { time, warning: booked.warnings[0].text }),
    )
    onClose()
    onBooked({ id: booked.id, day: dayOfWall(start) })
  }
  return { form, services, taken }
}

/** A dialog in which a member books: outside of opening hours too, but never at a taken time. */
export function BookDialog(booking: Booking) {
  const t = useWords(bookWords)
  const wall = useWallFormat()
  const { language } = useLanguage()
  const zone = useShopZone()
  const [day, setDay] = useState(booking.wanted.day)
  const [isNew, setNew] = useState(false)
  const { form, services, taken } = useBooking(booking, isNew)
  const { serviceId, resourceId, startsAt } = form.watch()
  const setStart = (next: string | null) => {
    form.clearErrors('startsAt')
    form.setValue('startsAt', next)
  }
  return (
    <Modal opened size="lg" onClose={booking.onClose} title={t('book_title')}>
      <form className={styles.form} onSubmit={form.submit} noValidate lang={language}>
        <Taken
          next={taken.next}
          onChoose={(next) => {
            setDay(dayOfWall(wallOf(zone, next)))
            setStart(next)
            taken.clear()
          }}
        />
        <WhatAndWho
          services={services}
          serviceId={serviceId}
          resourceId={resourceId}
          problem={form.errorOf('serviceId')}
          onService={(id) => {
            form.clearErrors('serviceId')
            form.setValue('serviceId', id ?? '')
            form.setValue('resourceId', null)
          }}
          onResource={(id) => form.setValue('resourceId', id)}
        />
        <PickTime
          serviceId={serviceId === '' ? null : serviceId}
          resourceId={resourceId}
          day={day}
          startsAt={startsAt}
          problem={form.errorOf('startsAt')}
          onDay={(next) => {
            setDay(next)
            setStart(null)
          }}
          onStart={setStart}
        />
        <SegmentedControl
          aria-label={t('customer')}
          value={isNew ? 'new' : 'known'}
          data={[
            { value: 'known', label: t('known_customer') },
            { value: 'new', label: t('new_customer') },
          ]}
          onChange={(value) => setNew(value === 'new')}
        />
        {isNew ? (
          <NewCustomer form={form} />
        ) : (
          <ContactPicker
            label={t('customer')}
            error={form.errorOf('contactId')}
            onPick={(contact) => {
              form.clearErrors('contactId')
              form.setValue('contactId', contact?.id ?? null)
            }}
          />
        )}
        <p className={styles.faint}>{t('no_event')}</p>
        <FormFoot
          form={form}
          act={
            startsAt === null
              ? t('book_act')
              : t('book_at', { time: wall.dayAndTime(wallOf(zone, startsAt)) })
          }
        />
      </form>
    </Modal>
  )
}

function NewCustomer({ form }: { form: ApiForm<Values> }) {
  const t = useWords(bookWords)
  return (
    <>
      <TextInput label={t('name')} {...form.field('name')} />
      <PhoneField form={form} name="phone" label={t('phone')} />
      <TextInput
        label={t('email')}
        type="email"
        classNames={{ input: layout.ltr! }}
        {...form.field('email')}
      />
    </>
  )
}

function customerOf(values: Values & { country: Country | null }, isNew: boolean) {
  const { contactId, name, phone, country, email } = values
  if (!isNew && contactId !== null) return { contactId }
  return { ...(name && { name }), ...(phone && { phone, country }), ...(email && { email }) }
}

function WhatAndWho({
  services,
  serviceId,
  resourceId,
  problem,
  onService,
  onResource,
}: {
  services: readonly ServiceView[]
  serviceId: string
  resourceId: string | null
  problem: string | undefined
  onService(id: string | null): void
  onResource(id: string | null): void
}) {
  const t = useWords(bookWords)
  const named = useNamed()
  const resources = useResources()
  const needs = services.find(({ id }) => id === serviceId)?.needs ?? []
  const able = resources.filter(({ id }) => needs.some((need) => need.resourceId === id))
  return (
    <div className={styles.pickRow}>
      <Select
        label={t('service')}
        placeholder={t('choose_service')}
        value={serviceId === '' ? null : serviceId}
        data={services.map((service) => ({ value: service.id, label: named(service) }))}
        error={problem}
        onChange={onService}
      />
      <Select
        label={t('with')}
        placeholder={t('anyone')}
        clearable
        disabled={able.length === 0}
        value={resourceId}
        data={able.map((resource) => ({ value: resource.id, label: named(resource) }))}
        onChange={onResource}
      />
    </div>
  )
}
