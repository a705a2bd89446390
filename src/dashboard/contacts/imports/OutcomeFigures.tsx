import type { ContactImportView } from '../../../contract/dashboard/contact-import.ts'
import { useFormat } from '../../words/format.ts'
import { useWords } from '../../words/use-words.tsx'
import styles from './imports.module.css'
import { importWords } from './words.ts'

/** The number of rows with each outcome, which together are all rows of the file. */
export function OutcomeFigures({ job }: { job: ContactImportView }) {
  const t = useWords(importWords)
  const format = useFormat()
  const figures = [
    [t('created'), job.created],
    [t('updated'), job.updated],
    [t('unchanged'), job.unchanged],
    [t('combined'), job.combined],
    [t('left_out_rows'), job.leftOut],
  ] as const
  return (
    <dl className={styles.figures}>
      {figures.map(([name, n]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{format.number(n)}</dd>
        </div>
      ))}
    </dl>
  )
}
