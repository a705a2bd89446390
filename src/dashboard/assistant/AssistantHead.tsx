import type { LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AssistantState } from '../../core/vocabulary/assistant-setup.ts'
import { useCompanyId } from '../app/company.ts'
import { useMay } from '../app/session.ts'
import { PageHeader } from '../parts/Page.tsx'
import { Pill } from '../parts/Pill.tsx'
import { TabBar, TabLink } from '../parts/Tabs.tsx'
import { useWords } from '../words/use-words.tsx'
import { assistantWords } from './words.ts'

const TABS = [
  { name: 'settings', to: '/p/$company/assistant', isForAgents: true },
  { name: 'knowledge', to: '/p/$company/assistant/knowledge', isForAgents: false },
  { name: 'models', to: '/p/$company/assistant/models', isForAgents: false },
  { name: 'replies', to: '/p/$company/assistant/replies', isForAgents: true },
  { name: 'try', to: '/p/$company/assistant/try', isForAgents: false },
] as const
type Tab = (typeof TABS)[number]['name']

/** The head of the assistant's pages, with tabs. */
export function AssistantHead({
  tab,
  lead,
  pill,
  acts,
}: {
  tab: Tab
  lead: ReactNode
  pill?: ReactNode
  acts?: ReactNode
}) {
  const t = useWords(assistantWords)
  return (
    <>
      <PageHeader title={t('title')} lead={lead} pill={pill} acts={acts} />
      <AssistantTabs tab={tab} />
    </>
  )
}

/** The tabs that lead to the assistant's pages. */
export function AssistantTabs({ tab }: { tab: Tab }) {
  const t = useWords(assistantWords)
  const companyId = useCompanyId()
  const { setUp } = useMay()
  return (
    <TabBar label={t('title')}>
      {TABS.filter(({ isForAgents }) => isForAgents || setUp).map(({ name, to }) => (
        <TabLink
          key={name}
          to={to satisfies LinkProps['to']}
          params={{ company: companyId }}
          isOn={name === tab}
        >
          {t(`tab_${name}`)}
        </TabLink>
      ))}
    </TabBar>
  )
}

const TONES = { on: 'ok', off: 'off', no_model: 'warn' } as const

/** The state of the assistant, such as on or off, as an icon with a word. */
export function AssistantPill({ state }: { state: AssistantState }) {
  const t = useWords(assistantWords)
  return <Pill tone={TONES[state]}>{t(`state_${state}`)}</Pill>
}
