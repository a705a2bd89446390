import { Button } from '@mantine/core'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../app/resources.ts'
import type {
  FlowDetail,
  FlowVersionView,
  ListedVersion,
} from '../../../contract/dashboard/flow.ts'
import { ReadState } from '../../parts/Page.tsx'
import { Pill } from '../../parts/Pill.tsx'
import { Time } from '../../parts/Time.tsx'
import { toastSuccess } from '../../parts/toasts.tsx'
import { useApiMutation } from '../../parts/use-api-mutation.ts'
import { ShowMore } from '../../parts/ListTable.tsx'
import { useWords } from '../../words/use-words.tsx'
import type { Draft } from '../draft.ts'
import { versionQuery } from '../queries.ts'
import layout from '../../parts/layout.module.css'
import styles from '../flows.module.css'
import { builderWords } from '../words-builder.ts'
import { SidePanel } from './SidePanel.tsx'
import { WhatChanged } from './WhatChanged.tsx'

/**
 * A panel that lists the versions of a flow, to look at one or to restore it as the draft. A restored version becomes
 * the draft, and takes effect when it is published.
 */
export function VersionsPanel({
  flow,
  draft,
  onLook,
  onRestore,
  onClose,
}: {
  flow: FlowDetail
  draft: Draft
  onLook(number: number): void
  /** Null for a member who may not edit. */
  onRestore: ((definition: Draft) => void) | null
  onClose(): void
}) {
  const t = useWords(builderWords)
  const api = useApi()
  const versions = useInfiniteQuery(
    api.list('flows/:flowId/versions', { flowId: flow.id, limit: 20 }),
  )
  const published = versions.data?.items.filter(({ publishedAt }) => publishedAt !== null)
  return (
    <SidePanel icon="history" title={t('versions')} label={t('versions')} onClose={onClose}>
      <ReadState of={versions} rows={3} />
      {published?.length === 0 && <p>{t('never_published')}</p>}
      {published?.map((version) => (
        <OneVersion
          key={version.id}
          flowId={flow.id}
          version={version}
          draft={draft}
          onLook={onLook}
          onRestore={onRestore}
        />
      ))}
      <ShowMore list={versions} />
    </SidePanel>
  )
}

function OneVersion({
  flowId,
  version: { number, publishedAt, isPublishedNow },
  draft,
  onLook,
  onRestore,
}: {
  flowId: string
  version: ListedVersion
  draft: Draft
  onLook(number: number): void
  onRestore: ((definition: Draft) => void) | null
}) {
  const t = useWords(builderWords)
  const api = useApi()
  const cache = useQueryClient()
  const { isBusy, run } = useApiMutation()
  const [compared, setCompared] = useState<FlowVersionView | null>(null)
  const read = () => run(() => cache.ensureQueryData(versionQuery(api, flowId, number)))
  return (
    <article className={styles.version}>
      <header className={styles.row}>
        <strong className={layout.grow}>{t('version_n', { n: number })}</strong>
        {isPublishedNow && (
          <Pill tone="accent" icon="check">
            {t('live_version')}
          </Pill>
        )}
      </header>
      {publishedAt !== null && (
        <p className={styles.help}>
          <Time at={publishedAt} />
        </p>
      )}
      {compared && (
        <>
          <h3 className={styles.smallTitle}>{t('against_draft')}</h3>
          <WhatChanged before={compared.definition} after={draft} />
        </>
      )}
      <div className={styles.row}>
        <Button size="xs" onClick={() => onLook(number)}>
          {t('look')}
        </Button>
        <Button size="xs" loading={isBusy} onClick={() => void read().then(setCompared)}>
          {t('compare')}
        </Button>
        {onRestore && (
          <Button
            size="xs"
            loading={isBusy}
            onClick={() => {
              void read().then((version) => {
                if (!version) return
                onRestore(version.definition)
                toastSuccess(t('restored', { n: number }))
              })
            }}
          >
            {t('restore')}
          </Button>
        )}
      </div>
    </article>
  )
}
