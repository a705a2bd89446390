import { Button, NumberInput } from '@mantine/core'
import { useState } from 'react'
import { useGo } from '../app/pages.ts'
import { FormDialog } from '../parts/FormDialog.tsx'
import { useApiForm } from '../parts/form.tsx'
import type { BroadcastView } from '../../contract/dashboard/broadcast.ts'
import { BROADCAST_LIMITS } from '../../core/limits/broadcasts.ts'
import { useApi } from '../app/resources.ts'
import { ConfirmButton } from '../parts/Dialogs.tsx'
import { Icon } from '../parts/Icon.tsx'
import { ActButton } from '../parts/ActButton.tsx'
import { numberOf } from '../parts/number-of.ts'
import { useWords } from '../words/use-words.tsx'
import { broadcastsWords } from './words.ts'

const IS_GOING = ['scheduled', 'preparing', 'sending']

/** The acts on a broadcast that has started or is scheduled. */
export function BroadcastActs({ broadcast }: { broadcast: BroadcastView }) {
  const t = useWords(broadcastsWords)
  const api = useApi()
  const go = useGo()
  const [isResuming, setResuming] = useState(false)
  const { id: broadcastId, state, name, counts } = broadcast
  const again = async () => {
    const draft = await api.post('broadcasts/:broadcastId/send-failed-again', { broadcastId })
    await go('broadcasts/$broadcast', { broadcast: draft.id })
  }
  const failed = counts.failed ?? 0
  const isOpen = IS_GOING.includes(state) || state === 'paused'
  return (
    <>
      {(state === 'done' || state === 'cancelled') && failed > 0 && (
        <ActButton leftSection={<Icon name="rotate" />} act={again} done={t('again_done')}>
          {t('again', { n: failed })}
        </ActButton>
      )}
      {isOpen && (
        <ConfirmButton
          label={t('cancel')}
          title={t('cancel_title', { name })}
          keep={t('cancel_keep')}
          isGrave
          send={() => api.post('broadcasts/:broadcastId/cancel', { broadcastId })}
          done={t('cancelled_done')}
        >
          {state === 'scheduled'
            ? t('cancel_scheduled')
            : t('cancel_why', { n: counts.pending ?? 0 })}
        </ConfirmButton>
      )}
      {(state === 'sending' || state === 'preparing') && (
        <ActButton
          variant="filled"
          leftSection={<Icon name="pause" />}
          act={() => api.post('broadcasts/:broadcastId/pause', { broadcastId })}
          done={t('paused_done')}
        >
          {t('pause')}
        </ActButton>
      )}
      {state === 'paused' && (
        <Button
          variant="filled"
          leftSection={<Icon name="play" />}
          onClick={() => setResuming(true)}
        >
          {t('resume')}
        </Button>
      )}
      {isResuming && <ResumeDialog broadcast={broadcast} onClose={() => setResuming(false)} />}
    </>
  )
}

/** A dialog that resumes a broadcast, at another rate if wanted. */
function ResumeDialog({ broadcast, onClose }: { broadcast: BroadcastView; onClose(): void }) {
  const t = useWords(broadcastsWords)
  const api = useApi()
  const form = useApiForm<{ perSecond: number | string }>({
    values: { perSecond: broadcast.perSecond },
    onSubmit: ({ perSecond }) =>
      api.post(
        'broadcasts/:broadcastId/resume',
        { broadcastId: broadcast.id },
        { perSecond: numberOf(perSecond) },
      ),
    done: t('resumed_done'),
    onDone: onClose,
  })
  return (
    <FormDialog form={form} title={t('resume')} act={t('resume')} onClose={onClose}>
      <NumberInput
        label={t('pace')}
        min={1}
        max={BROADCAST_LIMITS.maxPerSecond}
        allowDecimal={false}
        data-autofocus
        {...form.pick('perSecond')}
      />
    </FormDialog>
  )
}
