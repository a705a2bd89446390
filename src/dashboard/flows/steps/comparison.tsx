import { COMPARISONS } from '../../../core/vocabulary/flows.ts'
import { useWords } from '../../words/use-words.tsx'
import type { StepOf } from '../draft.ts'
import { formWords } from '../words-forms.ts'
import { Line, OneOf } from './fields.tsx'
import type { SayStep } from './step-kind.ts'

/** The operator of a comparison. */
export type Is = StepOf<'condition'>['is']

const needsValue = (is: Is) => is !== 'empty' && is !== 'not_empty'

/** The operator of a comparison and the value to compare with. */
export function Comparison({
  at,
  is,
  value,
  onChange,
}: {
  at: string
  is: Is
  value: string
  onChange(change: { is?: Is; value?: string }): void
}) {
  const t = useWords(formWords)
  return (
    <>
      <OneOf
        at={`${at}.is`}
        label={t('comparison')}
        value={is}
        options={COMPARISONS.map((one) => ({ value: one, label: t(one) }))}
        onChange={(chosen) => onChange({ is: chosen })}
      />
      {needsValue(is) && (
        <Line
          at={`${at}.value`}
          label={t('compared_with')}
          help={is === 'one_of' ? t('one_of_help') : undefined}
          value={value}
          onChange={(text) => onChange({ value: text })}
        />
      )}
    </>
  )
}

/** Returns a comparison as a sentence: `city is Riyadh`. */
export function comparisonText(name: string, is: Is, value: string, say: SayStep): string {
  return say(`is_${is}`, { name, value })
}
