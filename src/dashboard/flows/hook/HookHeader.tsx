import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PageLink, PageButton } from '../../parts/PageLink.tsx'
import { useApi } from '../../app/resources.ts'
import { useMay } from '../../app/session.ts'
import type { FlowDetail } from '../../../contract/dashboard/flow.ts'
import { Ltr } from '../../parts/Code.tsx'
import { Crumbs } from '../../parts/Crumbs.tsx'
import { PageHeader } from '../../parts/Page.tsx'
import { Time } from '../../parts/Time.tsx'
import { Rich, useWords } from '../../words/use-words.tsx'
import styles from './hook.module.css'
import { UrlActs } from './UrlActs.tsx'
import { hookWords } from './words.ts'

/** The head of a flow's hook: the visible part of its URL, and the acts on it. */
export function HookHeader({
  flow,
  onMade,
  children,
}: {
  flow: FlowDetail
  onMade(url: string): void
  children: ReactNode
}) {
  const t = useWords(hookWords)
  const { setUp } = useMay()
  const { hookUrl } = flow
  return (
    <>
      <Crumbs
        items={[
          <PageLink
            key="flow"
            to="flows/$flowId"
            params={{ flowId: flow.id }}
            className={styles.crumb}
            named={flow.name}
          />,
          t('trigger'),
        ]}
      />
      <PageHeader
        title={t('title')}
        lead={hookUrl ? <UrlLine hookUrlId={hookUrl.id} /> : <bdi>{flow.name}</bdi>}
        acts={
          <>
            {setUp && children}
            {setUp && hookUrl && <UrlActs flow={flow} onMade={onMade} />}
            <PageButton
              variant="filled"
              to="flows/$flowId"
              params={{ flowId: flow.id }}
              search={{ step: 'trigger' }}
            >
              {t('done')}
            </PageButton>
          </>
        }
      />
    </>
  )
}

function UrlLine({ hookUrlId }: { hookUrlId: string }) {
  const api = useApi()
  const { setUp } = useMay()
  const url = useQuery({ ...api.get('hook-urls/:hookUrlId', { hookUrlId }), enabled: setUp }).data
  if (!url) return null
  const at = url.replacedAt ?? url.createdAt
  return (
    <>
      <Ltr>{`${location.origin}/hooks/hook_…${url.tokenLastFour}`}</Ltr>{' '}
      <span className={styles.faint}>
        <Rich
          words={hookWords}
          say={url.replacedAt === null ? 'made' : 'replaced'}
          with={{ time: <Time at={at} /> }}
        />
      </span>
    </>
  )
}
