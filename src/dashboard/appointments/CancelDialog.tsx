import { Textarea } from '@mantine/core'
import { useState } from 'react'
import type { AppointmentView } from '../../contract/dashboard/appointment.ts'
import { APPOINTMENT_LIMITS } from '../../core/limits/appointments.ts'
import { useApi } from '../app/resources.ts'
import { Confirm } from '../parts/Dialogs.tsx'
import { useWords } from '../words/use-words.tsx'
import { useWallFormat, wallOf } from './wall.ts'
import { bookWords } from './words-book.ts'

/** A dialog in which a member cancels an appointment and may give a reason. */
export function CancelDialog({ one, onClose }: { one: AppointmentView; onClose(): void }) {
  const t = useWords(bookWords)
  const wall = useWallFormat()
  const api = useApi()
  const [reason, setReason] = useState('')
  return (
    <Confirm
      isGrave
      title={t('cancel_title', {
        name: one.customerName ?? one.reference,
        time: wall.dayAndTime(wallOf(one.zone, one.startsAt)),
      })}
      act={t('cancel_act')}
      keep={t('cancel_keep')}
      send={() =>
        api.post(
          'appointments/:appointmentId/cancel',
          { appointmentId: one.id },
          { reason: reason.trim() === '' ? null : reason },
        )
      }
      done={t('was_cancelled')}
      onClose={onClose}
    >
      <p>{t('cancel_why')}</p>
      <Textarea
        label={t('cancel_reason')}
        description={t('cancel_reason_why')}
        autosize
        minRows={2}
        maxLength={APPOINTMENT_LIMITS.reasonChars}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Confirm>
  )
}
