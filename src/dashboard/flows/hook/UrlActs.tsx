import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApi } from '../../app/resources.ts'
import type { FlowDetail } from '../../../contract/dashboard/flow.ts'
import type { NewHookUrl } from '../../../contract/dashboard/hook-url.ts'
import { Confirm, SecretDialog } from '../../parts/Dialogs.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { sayDone } from '../../parts/toasts.tsx'
import { useAct } from '../../parts/use-act.ts'
import { useStays } from '../../parts/use-stays.ts'
import { useWords } from '../../words/use-words.tsx'
import { Samples } from './Samples.tsx'
import { hookWords } from './words.ts'

/** Makes the URL, or replaces it: either way it is told once. Or deletes it. */
export function UrlActs({ flow, onMade }: { flow: FlowDetail; onMade(url: string): void }) {
  const t = useWords(hookWords)
  const api = useApi()
  const { isBusy, run } = useAct()
  useStays(isBusy)
  const [asked, setAsked] = useState<'replace' | 'delete' | null>(null)
  const { hookUrl } = flow
  const make = async (asking: () => Promise<NewHookUrl>) => {
    const made = await run(asking)
    setAsked(null)
    if (made) onMade(made.url)
  }
  const remove = async () => {
    await run(async () => {
      await api.delete('hook-urls/:hookUrlId', { hookUrlId: hookUrl!.id })
      sayDone(t('deleted'))
    })
    setAsked(null)
  }
  return (
    <>
      {hookUrl === null ? (
        <Button
          variant="filled"
          loading={isBusy}
          leftSection={<Icon name="plus" />}
          onClick={() => void make(() => api.call('post', 'hook-urls', { flowId: flow.id }))}
        >
          {t('create')}
        </Button>
      ) : (
        <>
          <Button leftSection={<Icon name="trash" />} onClick={() => setAsked('delete')}>
            {t('delete')}
          </Button>
          <Button leftSection={<Icon name="refresh" />} onClick={() => setAsked('replace')}>
            {t('replace')}
          </Button>
        </>
      )}
      {asked !== null && (
        <ByName
          flowName={flow.name}
          asked={asked}
          isBusy={isBusy}
          onAct={() => {
            if (asked === 'delete') return void remove()
            void make(() =>
              api.call('post', 'hook-urls/:hookUrlId/replace', { hookUrlId: hookUrl!.id }),
            )
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}

/** The URL that was made: it stays until it is closed, whatever of the page is drawn anew behind it. */
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

const TEXTS = {
  replace: { question: 'replace_question', text: 'replace_text', act: 'replace' },
  delete: { question: 'delete_question', text: 'delete_text', act: 'delete' },
} as const

/** Neither can be taken back: the name of the flow is typed first. */
function ByName({
  flowName,
  asked,
  isBusy,
  onAct,
  onClose,
}: {
  flowName: string
  asked: keyof typeof TEXTS
  isBusy: boolean
  onAct(): void
  onClose(): void
}) {
  const t = useWords(hookWords)
  const [typed, setTyped] = useState('')
  const { question, text, act } = TEXTS[asked]
  return (
    <Confirm
      isOpen
      isGrave
      isBusy={isBusy}
      mayAct={typed.trim() === flowName}
      title={t(question)}
      act={t(act)}
      keep={t('keep_url')}
      onAct={onAct}
      onClose={onClose}
    >
      <p>{t(text, { name: flowName })}</p>
      <TextInput
        label={t('replace_label')}
        value={typed}
        data-autofocus
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </Confirm>
  )
}
