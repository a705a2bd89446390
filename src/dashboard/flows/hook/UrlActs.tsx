import { Button, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ask } from '../../app/api.ts'
import { useCompanyId } from '../../app/company.ts'
import type { FlowDetail } from '../../../contract/dashboard/flow.ts'
import type { NewHookUrl } from '../../../contract/dashboard/hook-url.ts'
import { Confirm, SecretDialog } from '../../parts/Dialogs.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { useAct } from '../../parts/use-act.ts'
import { useWords } from '../../words/use-words.tsx'
import { flowQuery } from '../queries.ts'
import { Samples } from './Samples.tsx'
import { hookWords } from './words.ts'

/** Makes the URL, or replaces it: either way it is shown once. */
export function UrlActs({ flow }: { flow: FlowDetail }) {
  const t = useWords(hookWords)
  const companyId = useCompanyId()
  const cache = useQueryClient()
  const { isBusy, run } = useAct()
  const [shown, setShown] = useState<string | null>(null)
  const [isReplacing, setReplacing] = useState(false)
  const [typed, setTyped] = useState('')
  const { hookUrl } = flow
  const urls = api.companies[':companyId']['hook-urls']
  const make = async (asking: () => Promise<NewHookUrl>) => {
    const made = await run(asking)
    setReplacing(false)
    setTyped('')
    if (made) setShown(made.url)
  }
  // Read anew only once it is closed: what stands here meanwhile would be drawn without the dialog.
  const close = () => {
    setShown(null)
    void cache.invalidateQueries({ queryKey: flowQuery(companyId, flow.id).queryKey })
    void cache.invalidateQueries({ queryKey: ['hook-url', companyId] })
    void cache.invalidateQueries({ queryKey: ['flows', companyId] })
  }
  return (
    <>
      {hookUrl === null ? (
        <Button
          variant="filled"
          loading={isBusy}
          leftSection={<Icon name="plus" />}
          onClick={() =>
            void make(() => ask(urls.$post({ param: { companyId }, json: { flowId: flow.id } })))
          }
        >
          {t('create')}
        </Button>
      ) : (
        <Button leftSection={<Icon name="refresh" />} onClick={() => setReplacing(true)}>
          {t('replace')}
        </Button>
      )}
      <Confirm
        isOpen={isReplacing}
        isGrave
        isBusy={isBusy}
        mayAct={typed.trim() === flow.name}
        title={t('replace_question')}
        act={t('replace')}
        keep={t('keep_url')}
        onAct={() =>
          void make(() =>
            ask(urls[':hookUrlId'].replace.$post({ param: { companyId, hookUrlId: hookUrl!.id } })),
          )
        }
        onClose={() => setReplacing(false)}
      >
        <p>{t('replace_text', { name: flow.name })}</p>
        <TextInput
          label={t('replace_label')}
          value={typed}
          dir="auto"
          data-autofocus
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </Confirm>
      <SecretDialog title={t('created_title')} secret={shown} envName="HOOK_URL" onClose={close}>
        <Samples url={shown} />
      </SecretDialog>
    </>
  )
}
