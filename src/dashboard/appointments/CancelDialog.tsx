import { Textarea } from '@mantine/core'
import { useState } from 'react'
import type { AppointmentView } from '../../contract/dashboard/appointment.ts'
import { APPOINTMENT_LIMITS } from '../../limits/appointments.ts'
import { api, ask } from '../app/api.ts'
import { useCompanyId } from '../app/company.ts'
import { Confirm } from '../parts/Dialogs.tsx'
import { sayDone } from '../parts/toasts.tsx'
import { useAct } from '../parts/use-act.ts'
import { useWords } from '../words/use-words.tsx'
import { readAnew } from './use-calendar.ts'
import { useWallFormat, wallOf } from './wall.ts'
import { bookWords } from './words-book.ts'

export function CancelDialog({ one, onClose }: { one: AppointmentView; onClose(): void }) {
  const t = useWords(bookWords)
  const wall = useWallFormat()
  const companyId = useCompanyId()
  const { isBusy, run } = useAct()
  const [reason, setReason] = useState('')
  const cancel = async () => {
    const cancelled = await run(() =>
      ask(
        api.companies[':companyId'].appointments[':appointmentId'].cancel.$post({
          param: { companyId, appointmentId: one.id },
          json: { reason: reason.trim() === '' ? null : reason },
        }),
      ),
    )
    if (cancelled === null) return
    sayDone(t('was_cancelled'))
    onClose()
    await readAnew(companyId)
  }
  return (
    <Confirm
      isOpen
      isGrave
      title={t('cancel_title', {
        name: one.customerName ?? one.reference,
        time: wall.dayAndTime(wallOf(one.zone, one.startsAt)),
      })}
      act={t('cancel_act')}
      keep={t('cancel_keep')}
      isBusy={isBusy}
      onAct={() => void cancel()}
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
