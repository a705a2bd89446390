import { Button, Select } from '@mantine/core'
import { useState } from 'react'
import type { AppointmentView } from '../../contract/dashboard/appointment.ts'
import { MINUTE_MS } from '../../core/limits/units.ts'
import { useApi } from '../app/resources.ts'
import { Modal } from '../parts/Modal.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { useApiMutation } from '../parts/use-api-mutation.ts'
import { useWords } from '../words/use-words.tsx'
import styles from './appointments.module.css'
import { PickTime } from './PickTime.tsx'
import { Taken, useTaken } from './Taken.tsx'
import { useResources, useServices, useShopZone } from './use-calendar.ts'
import { useNamed } from '../words/use-named.ts'
import { dayOfWall, instantOf, useWallFormat, wallOf } from './wall.ts'
import { bookWords } from './words-book.ts'

/** An appointment that a member is moving. */
export type Move = {
  appointment: AppointmentView
  /** The place where the appointment was dropped; null while the member still has to choose one. */
  to: { day: number; minutes: number } | null
}

/** A dialog that asks for the new time of an appointment, or confirms the one where it was dropped. */
export function MoveDialog({ move, onClose }: { move: Move; onClose(): void }) {
  const t = useWords(bookWords)
  const wall = useWallFormat()
  const named = useNamed()
  const zone = useShopZone()
  const { appointment, to } = move
  const { serviceId } = appointment
  const [day, setDay] = useState(() => to?.day ?? dayOfWall(wallOf(zone, appointment.startsAt)))
  const [startsAt, setStartsAt] = useState<string | null>(() =>
    to === null ? null : instantOf(zone, to.day + to.minutes * MINUTE_MS),
  )
  const [resourceId, setResourceId] = useState<string | null>(null)
  const resources = useResources()
  const needs = useServices().find(({ id }) => id === serviceId)?.needs ?? []
  const able = resources.filter(({ id }) => needs.some((need) => need.resourceId === id))
  const isElsewhere = startsAt !== null && startsAt !== appointment.startsAt
  const { isBusy, taken, moveTo } = useMove(appointment, resourceId, onClose)
  const was = wall.dayAndTime(wallOf(zone, appointment.startsAt))
  return (
    <Modal
      opened
      size="lg"
      onClose={onClose}
      title={t('move_title', {
        name: appointment.customerName ?? appointment.reference,
        time: was,
      })}
    >
      <div className={styles.form}>
        <Taken
          next={taken.next}
          onChoose={(next) => {
            setDay(dayOfWall(wallOf(zone, next)))
            setStartsAt(next)
            taken.clear()
          }}
        />
        <PickTime
          serviceId={serviceId}
          resourceId={resourceId}
          day={day}
          startsAt={startsAt}
          movedId={appointment.id}
          problem={undefined}
          onDay={(next) => {
            setDay(next)
            setStartsAt(null)
          }}
          onStart={setStartsAt}
        />
        {able.length > 1 && (
          <Select
            label={t('with')}
            placeholder={t('as_it_is')}
            clearable
            value={resourceId}
            data={able.map((resource) => ({ value: resource.id, label: named(resource) }))}
            onChange={setResourceId}
          />
        )}
        <p className={styles.faint}>{t('move_no_event')}</p>
        <div className={styles.foot}>
          <Button onClick={onClose}>{t('keep_at', { time: was })}</Button>
          <Button
            variant="filled"
            loading={isBusy}
            disabled={!isElsewhere && resourceId === null}
            onClick={() => void moveTo(startsAt ?? appointment.startsAt)}
          >
            {startsAt === null
              ? t('move_act')
              : t('move_to', { time: wall.dayAndTime(wallOf(zone, startsAt)) })}
          </Button>
        </div>
      </div>
    </Modal>
  )
}

/** Moves the appointment; when the time was taken meanwhile, other times are offered. */
function useMove(
  { id, serviceId }: AppointmentView,
  resourceId: string | null,
  onDone: () => void,
) {
  const t = useWords(bookWords)
  const wall = useWallFormat()
  const api = useApi()
  const zone = useShopZone()
  const taken = useTaken()
  const { isBusy, run } = useApiMutation()
  const moveTo = async (startsAt: string) => {
    const moved = await run(() =>
      taken.attempt({ serviceId, resourceId, from: startsAt }, () =>
        api.post(
          'appointments/:appointmentId/move',
          { appointmentId: id },
          { startsAt, ...(resourceId !== null && { resourceId }) },
        ),
      ),
    )
    if (moved === null) return
    const time = wall.dayAndTime(wallOf(zone, moved.startsAt))
    const warning = moved.warnings[0]?.text
    toastSuccess(
      warning === undefined ? t('moved', { time }) : t('moved_with_warning', { time, warning }),
    )
    onDone()
  }
  return { isBusy, taken, moveTo }
}
