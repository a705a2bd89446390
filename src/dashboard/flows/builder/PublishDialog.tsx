import type { UseQueryResult } from '@tanstack/react-query'
import { useApi } from '../../app/resources.ts'
import type { DraftCheck, FlowDetail } from '../../../contract/dashboard/flow.ts'
import { Confirm } from '../../parts/Dialogs.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { ReadState } from '../../parts/Page.tsx'
import { useWords } from '../../words/use-words.tsx'
import layout from '../../parts/layout.module.css'
import styles from '../flows.module.css'
import { builderWords } from '../words-builder.ts'
import { useBuilderContext } from '../builder-context.ts'
import { WhatChanged } from './WhatChanged.tsx'

/** A confirmation that publishes a draft: it shows the changes, the effect on current runs, errors and warnings. */
export function PublishDialog({
  flow,
  number,
  check,
  checkRead,
  isOpen,
  onClose,
}: {
  flow: FlowDetail
  number: number
  check: DraftCheck | undefined
  checkRead: UseQueryResult<DraftCheck>
  isOpen: boolean
  onClose(): void
}) {
  const t = useWords(builderWords)
  const api = useApi()
  const { draft } = useBuilderContext()
  const warnings = check?.problems.filter(({ isWarning }) => isWarning) ?? []
  const errors = check?.problems.filter(({ isWarning }) => !isWarning) ?? []
  return (
    <Confirm
      isOpen={isOpen}
      title={t('publish_question', { n: number })}
      act={t('publish_version', { n: number })}
      keep={t('keep_editing')}
      mayAct={check?.canBePublished === true}
      send={() => api.post('flows/:flowId/publish', { flowId: flow.id })}
      done={t('published', { n: number })}
      onClose={onClose}
    >
      {flow.publishedNumber === null ? (
        <p>{t('first_publish')}</p>
      ) : (
        <p>{t('runs_keep_version', { n: flow.publishedNumber })}</p>
      )}
      {!flow.isOn && <p>{t('is_off_still')}</p>}
      {flow.published && <WhatChanged before={flow.published.definition} after={draft} />}
      {check === undefined && <ReadState of={checkRead} rows={1} />}
      {/* Errors prevent the publishing, so the button is disabled. */}
      <ProblemList title={t('problems')} problems={errors} />
      <ProblemList title={t('look_at', { n: warnings.length })} problems={warnings} />
    </Confirm>
  )
}

function ProblemList({ title, problems }: { title: string; problems: DraftCheck['problems'] }) {
  if (problems.length === 0) return null
  return (
    <>
      <h3 className={styles.smallTitle}>{title}</h3>
      <ul className={styles.troubles}>
        {problems.map(({ field, text, isWarning }) => (
          <li key={`${field}${text}`}>
            <Icon
              name={isWarning ? 'warning' : 'failed'}
              className={isWarning ? styles.warn : layout.bad}
            />
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
