import type { TemplateView } from '../../contract/dashboard/template.ts'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './broadcasts.module.css'
import { fillWords, type DraftValues } from './draft-values.ts'
import { draftWords } from './words-draft.ts'

/** A preview of the template with the values so far. */
export function Preview({
  template,
  values,
}: {
  template: TemplateView | undefined
  values: DraftValues['template']
}) {
  const t = useWords(draftWords)
  if (template === undefined) return <p className={layout.quiet}>{t('preview_none')}</p>
  const { header, body } = template
  return (
    <p className={styles.bubble} dir="auto">
      {header !== null && (
        <span className={styles.bubbleHead}>{fillWords(header, () => values.header)}</span>
      )}
      {body !== null && fillWords(body, (name) => values.body[`v${name}`])}
    </p>
  )
}
