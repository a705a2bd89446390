import { useWords } from '../words/use-words.tsx'
import styles from './inbox.module.css'
import { inboxWords } from './words.ts'

/** The placeholder next to the list while no conversation is open. */
export function NoneOpen() {
  const t = useWords(inboxWords)
  return (
    <div className={styles.none}>
      <p>{t('none_open')}</p>
      <p className={styles.noneKeys}>{t('none_open_keys')}</p>
    </div>
  )
}
