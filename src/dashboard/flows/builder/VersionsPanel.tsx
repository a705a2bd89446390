import { Button } from '@mantine/core'
import type { FlowDetail } from '../../../contract/dashboard/flow.ts'
import { Pill } from '../../parts/Pill.tsx'
import { Time } from '../../parts/Time.tsx'
import { sayDone } from '../../parts/toasts.tsx'
import { useWords } from '../../words/use-words.tsx'
import type { Draft } from '../draft/draft.ts'
import styles from '../flows.module.css'
import { builderWords } from '../words-builder.ts'
import { WhatChanged } from './PublishDialog.tsx'
import { SidePanel } from './SidePanel.tsx'

/** The versions that were published; what a version had becomes the draft again, and nothing runs by it before it is published. */
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
  /** Null for who may not. */
  onRestore: ((definition: Draft) => void) | null
  onClose(): void
}) {
  const t = useWords(builderWords)
  const { published } = flow
  return (
    <SidePanel icon="history" title={t('versions')} label={t('versions')} onClose={onClose}>
      {published === null && <p>{t('never_published')}</p>}
      {published && (
        <article className={styles.version}>
          <header className={styles.row}>
            <strong className={styles.grow}>{t('version_n', { n: published.number })}</strong>
            <Pill tone="ok">{t('live_version')}</Pill>
          </header>
          {published.publishedAt !== null && (
            <p className={styles.help}>
              <Time at={published.publishedAt} />
            </p>
          )}
          <h3 className={styles.smallTitle}>{t('against_draft')}</h3>
          <WhatChanged before={published.definition} after={draft} />
          <div className={styles.row}>
            <Button size="xs" onClick={() => onLook(published.number)}>
              {t('look')}
            </Button>
            {onRestore && (
              <Button
                size="xs"
                onClick={() => {
                  onRestore(published.definition)
                  sayDone(t('restored', { n: published.number }))
                }}
              >
                {t('restore')}
              </Button>
            )}
          </div>
        </article>
      )}
    </SidePanel>
  )
}
