import type { ModelView } from '../../../contract/dashboard/model.ts'
import { Pill } from '../../parts/Pill.tsx'
import { useWords } from '../../words/use-words.tsx'
import { modelsWords } from './words.ts'

/** The state of a language model, such as on, off or broken, as an icon with a word. */
export function ModelPill({ model: { isOn, broken } }: { model: ModelView }) {
  const t = useWords(modelsWords)
  if (!isOn) return <Pill tone="off">{t('off')}</Pill>
  return broken ? <Pill tone="bad">{t('broken')}</Pill> : <Pill tone="ok">{t('on')}</Pill>
}
