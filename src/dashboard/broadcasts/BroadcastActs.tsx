import { Button, NumberInput } from '@mantine/core'
import { useState } from 'react'
import { useGo } from '../app/pages.ts'
import { FormDialog } from '../parts/FormDialog.tsx'
import { Field, useApiForm } from '../parts/form.tsx'
import type { BroadcastView } from '../../contract/dashboard/broadcast.ts'
import { BROADCAST_LIMITS } from '../../limits/broadcasts.ts'
import { useApi } from '../app/resources.ts'
import { Confirm } from '../parts/Dialogs.tsx'
import { Icon } from '../parts/Icon.tsx'
import { sayDone } from '../parts/toasts.tsx'
import { useAct } from '../parts/use-act.ts'
import { useWords } from '../words/use-words.tsx'
import { broadcastsWords } from './words.ts'

const IS_GOING = ['scheduled', 'preparing', 'sending']

/** What can be done with a broadcast that has begun, or will. */
export function BroadcastActs({ broadcast }: { broadcast: BroadcastView }) {
  const t = useWords(broadcastsWords)
  const api = useApi()
  const go = useGo()
  const [asked, setAsked] = useState<'cancel' | 'resume' | null>(null)
  const { isBusy, run } = useAct()
  const { state, name, counts } = broadcast
  const act = (what: 'pause' | 'cancel') =>
    api.post(`broadcasts/:broadcastId/${what}`, { broadcastId: broadcast.id })
  const again = async () => {
    const draft = await run(() =>
      api.post('broadcasts/:broadcastId/send-failed-again', { broadcastId: broadcast.id }),
    )
    if (draft === null) return
    sayDone(t('again_done'))
    await go('broadcasts/$broadcast', { broadcast: draft.id })
  }
  const failed = counts.failed ?? 0
  const isOpen = IS_GOING.includes(state) || state === 'paused'
  return (
    <>
      {(state === 'done' || state === 'cancelled') && failed > 0 && (
        <Button loading={isBusy} leftSection={<Icon name="rotate" />} onClick={() => void again()}>
          {t('again', { n: failed })}
        </Button>
      )}
      {isOpen && <Button onClick={() => setAsked('cancel')}>{t('cancel')}</Button>}
      {(state === 'sending' || state === 'preparing') && (
        <Button
          variant="filled"
          loading={isBusy}
          leftSection={<Icon name="pause" />}
          onClick={() => void run(() => act('pause'), { done: t('paused_done') })}
        >
          {t('pause')}
        </Button>
      )}
      {state === 'paused' && (
        <Button
          variant="filled"
          leftSection={<Icon name="play" />}
          onClick={() => setAsked('resume')}
        >
          {t('resume')}
        </Button>
      )}
      <Confirm
        isOpen={asked === 'cancel'}
        title={t('cancel_title', { name })}
        act={t('cancel')}
        keep={t('cancel_keep')}
        isGrave
        send={() => act('cancel')}
        done={t('cancelled_done')}
        onClose={() => setAsked(null)}
      >
        {state === 'scheduled'
          ? t('cancel_scheduled')
          : t('cancel_why', { n: counts.pending ?? 0 })}
      </Confirm>
      {asked === 'resume' && <ResumeDialog broadcast={broadcast} onClose={() => setAsked(null)} />}
    </>
  )
}

/** Goes on, at another pace if wanted. */
function ResumeDialog({ broadcast, onClose }: { broadcast: BroadcastView; onClose(): void }) {
  const t = useWords(broadcastsWords)
  const api = useApi()
  const form = useApiForm<{ perSecond: number | string }>({
    values: { perSecond: broadcast.perSecond },
    onSubmit: ({ perSecond }) =>
      api.post(
        'broadcasts/:broadcastId/resume',
        { broadcastId: broadcast.id },
        { perSecond: Number(perSecond) },
      ),
    done: t('resumed_done'),
    onDone: onClose,
  })
  return (
    <FormDialog form={form} title={t('resume')} act={t('resume')} onClose={onClose}>
      <Field form={form} name="perSecond">
        {(field) => (
          <NumberInput
            label={t('pace')}
            min={1}
            max={BROADCAST_LIMITS.perSecondMost}
            allowDecimal={false}
            data-autofocus
            {...field}
          />
        )}
      </Field>
    </FormDialog>
  )
}
