import { useFormat } from '../../words/format.ts'
import { useWords } from '../../words/use-words.tsx'
import layout from '../../parts/layout.module.css'
import styles from '../flows.module.css'
import { builderWords } from '../words-builder.ts'
import type { Saving } from './use-draft.ts'

/** A note which says whether the draft is saved, being saved or could not be saved. */
export function SavedNote({ saving, save }: { saving: Saving; save(): Promise<boolean> }) {
  const t = useWords(builderWords)
  const format = useFormat()
  switch (saving.kind) {
    case 'saved':
      return (
        <span className={`${styles.help} ${styles.wide}`} role="status">
          {saving.at === null
            ? t('draft_as_saved')
            : t('draft_saved', { time: format.time(saving.at) })}
        </span>
      )
    case 'waiting':
      return (
        <span className={`${styles.help} ${styles.wide}`} role="status">
          {t('saving')}
        </span>
      )
    case 'refused':
      return (
        <span className={styles.warn} role="status">
          {saving.errors.length === 0 ? saving.detail : t('not_saved', { n: saving.errors.length })}
        </span>
      )
    case 'offline':
      return (
        <span className={layout.bad} role="alert">
          {t('not_saved_offline')}{' '}
          <button type="button" className={styles.linkButton} onClick={() => void save()}>
            {t('save_again')}
          </button>
        </span>
      )
    case 'stale':
      return null
  }
}
