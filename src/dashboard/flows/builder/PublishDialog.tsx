import { useApi } from '../../app/resources.ts'
import type { DraftCheck, FlowDetail } from '../../../contract/dashboard/flow.ts'
import { Confirm } from '../../parts/Dialogs.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { useWords } from '../../words/use-words.tsx'
import styles from '../flows.module.css'
import { builderWords } from '../words-builder.ts'
import { useBuilderContext } from '../builder-context.ts'
import { WhatChanged } from './WhatChanged.tsx'

/** A confirmation that shows the changes, the effect on current runs, and the warnings. */
export function PublishDialog({
  flow,
  number,
  check,
  isOpen,
  onClose,
}: {
  flow: FlowDetail
  number: number
  check: DraftCheck | undefined
  isOpen: boolean
  onClose(): void
}) {
  const t = useWords(builderWords)
  const api = useApi()
  const { draft } = useBuilderContext()
  const warnings = check?.problems.filter(({ isWarning }) => isWarning) ?? []
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
      {warnings.length > 0 && (
        <>
          <h3 className={styles.smallTitle}>{t('look_at', { n: warnings.length })}</h3>
          <ul className={styles.troubles}>
            {warnings.map(({ field, text }) => (
              <li key={`${field}${text}`}>
                <Icon name="warning" className={styles.warn} />
                <span>{text}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Confirm>
  )
}
