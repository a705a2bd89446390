import { Button } from '@mantine/core'
import { useState } from 'react'
import { useApi } from '../../app/resources.ts'
import type { FlowDetail } from '../../../contract/dashboard/flow.ts'
import { Confirm, SecretDialog } from '../../parts/Dialogs.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { useApiMutation } from '../../parts/use-api-mutation.ts'
import { useLeaveGuard } from '../../parts/use-leave-guard.ts'
import { useWords } from '../../words/use-words.tsx'
import { Samples } from './Samples.tsx'
import { hookWords } from './words.ts'

/** Buttons that create, replace or delete the hook URL. A new URL is shown once. */
export function UrlActs({ flow, onMade }: { flow: FlowDetail; onMade(url: string): void }) {
  const t = useWords(hookWords)
  const api = useApi()
  const { isBusy, run } = useApiMutation()
  useLeaveGuard(isBusy)
  const [asked, setAsked] = useState<'replace' | 'delete' | null>(null)
  const { hookUrl } = flow
  const urlId = { hookUrlId: hookUrl?.id ?? '' }
  const make = async () => {
    const made = await run(() => api.call('post', 'hook-urls', { flowId: flow.id }))
    if (made) onMade(made.url)
  }
  const confirm = {
    isGrave: true,
    isShownOnce: true,
    keep: t('keep_url'),
    typed: { label: t('replace_label'), name: flow.name },
    onClose: () => setAsked(null),
  }
  if (hookUrl === null) {
    return (
      <Button
        variant="filled"
        loading={isBusy}
        leftSection={<Icon name="plus" />}
        onClick={() => void make()}
      >
        {t('create')}
      </Button>
    )
  }
  // Neither act can be undone, so the member types the name of the flow first.
  return (
    <>
      <Button leftSection={<Icon name="trash" />} onClick={() => setAsked('delete')}>
        {t('delete')}
      </Button>
      <Button leftSection={<Icon name="refresh" />} onClick={() => setAsked('replace')}>
        {t('replace')}
      </Button>
      {asked === 'delete' && (
        <Confirm
          {...confirm}
          title={t('delete_question')}
          act={t('delete')}
          send={() => api.delete('hook-urls/:hookUrlId', urlId)}
          done={t('deleted')}
        >
          <p>{t('delete_text', { name: flow.name })}</p>
        </Confirm>
      )}
      {asked === 'replace' && (
        <Confirm
          {...confirm}
          title={t('replace_question')}
          act={t('replace')}
          send={async () => {
            const made = await api.call('post', 'hook-urls/:hookUrlId/replace', urlId)
            onMade(made.url)
          }}
        >
          <p>{t('replace_text', { name: flow.name })}</p>
        </Confirm>
      )}
    </>
  )
}

/**
 * A dialog that shows a new hook URL once, to be copied. It stays open even when the page behind it is rendered again.
 */
export function MadeUrl({ url, onClose }: { url: string | null; onClose(): void }) {
  const t = useWords(hookWords)
  const api = useApi()
  const close = () => {
    onClose()
    void api.changed('hook-urls')
  }
  return (
    <SecretDialog title={t('created_title')} secret={url} envName="HOOK_URL" onClose={close}>
      <Samples url={url} />
    </SecretDialog>
  )
}
