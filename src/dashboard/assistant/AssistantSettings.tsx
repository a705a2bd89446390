import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PageButton } from '../parts/PageLink.tsx'
import type { AssistantWithDefaults } from '../../contract/dashboard/assistant.ts'
import { useApi } from '../app/resources.ts'
import { queries } from '../app/queries.ts'
import { useMay } from '../app/session.ts'
import { Banner } from '../parts/Page.tsx'
import { ActButton } from '../parts/ActButton.tsx'
import { useWords } from '../words/use-words.tsx'
import { AssistantHead, AssistantPill } from './AssistantHead.tsx'
import { SettingsForm } from './SettingsForm.tsx'
import { assistantWords } from './words.ts'

/** The settings of the assistant, and whether it replies. */
export function AssistantSettings() {
  const t = useWords(assistantWords)
  const api = useApi()
  const { setUp } = useMay()
  const { data: assistant } = useSuspenseQuery(api.get('assistant'))
  /** The settings as this page last saved them. The form is created again only to show another member's settings. */
  const [seen, setSeen] = useState(assistant)
  const [shownFrom, setShownFrom] = useState(assistant.revision)
  const reload = () => {
    setSeen(assistant)
    setShownFrom(assistant.revision)
  }
  const keep = (saved: AssistantWithDefaults) => {
    queries.setQueryData(api.get('assistant').queryKey, saved)
    setSeen(saved)
  }
  return (
    <>
      <AssistantHead
        tab="settings"
        lead={t('lead')}
        pill={<AssistantPill state={assistant.state} />}
        acts={setUp && <SwitchButton seen={seen} onSaved={keep} />}
      />
      <StateBanner assistant={assistant} seen={seen} onReload={reload} />
      <SettingsForm key={shownFrom} seen={seen} onSaved={keep} />
    </>
  )
}

/** One banner at a time: another member has saved, the assistant does not reply, or the member may only read. */
function StateBanner({
  assistant,
  seen,
  onReload,
}: {
  assistant: AssistantWithDefaults
  seen: AssistantWithDefaults
  onReload(): void
}) {
  const t = useWords(assistantWords)
  const { setUp } = useMay()
  if (assistant.revision !== seen.revision) {
    return (
      <Banner
        tone="warn"
        title={t('changed_meanwhile')}
        act={<Button onClick={onReload}>{t('show_newest')}</Button>}
      >
        {t('changed_meanwhile_why')}
      </Banner>
    )
  }
  if (assistant.state === 'no_model') {
    return (
      <Banner
        tone="warn"
        title={t('no_model')}
        act={setUp && <PageButton to="assistant/models">{t('to_models')}</PageButton>}
      >
        {t(setUp ? 'no_model_why' : 'no_model_agent')}
      </Banner>
    )
  }
  if (assistant.state === 'off') {
    return (
      <Banner tone="off" title={t('is_off')}>
        {t('is_off_why')}
      </Banner>
    )
  }
  return setUp ? null : <Banner tone="off" title={t('read_only')} />
}

function SwitchButton({
  seen,
  onSaved,
}: {
  seen: AssistantWithDefaults
  onSaved(saved: AssistantWithDefaults): void
}) {
  const t = useWords(assistantWords)
  const api = useApi()
  const isOn = !seen.isOn
  const change = async () => {
    try {
      onSaved(await api.call('patch', 'assistant', { revision: seen.revision, isOn }))
    } catch (error) {
      void api.changed('assistant')
      throw error
    }
  }
  return (
    <ActButton act={change} done={t(isOn ? 'switched_on' : 'switched_off')}>
      {t(isOn ? 'switch_on' : 'switch_off')}
    </ActButton>
  )
}
