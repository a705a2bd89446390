import { TagsInput } from '@mantine/core'
import { FLOW_LIMITS } from '../../../core/limits/flows.ts'
import { useWords } from '../../words/use-words.tsx'
import { useFormat } from '../../words/format.ts'
import { useBuilderContext } from '../builder-context.ts'
import type { StepOf } from '../draft.ts'
import { formWords } from '../words-forms.ts'
import { idOf } from './fields.tsx'
import { mainNext, onlyNext, type FormProps, type StepKindDesign } from './step-kind.ts'

type Tag = StepOf<'tag'>

export const TAG: StepKindDesign<Tag> = {
  icon: 'tag',
  group: 'customer',
  make: () => ({ kind: 'tag', add: [], remove: [], next: null }),
  exits: onlyNext,
  main: mainNext,
  summary: ({ add, remove }, say) => {
    if (add.length === 0 && remove.length === 0) return { title: say('nothing_yet') }
    if (add.length === 0) return { title: say('tags_off', { tags: remove.join(', ') }) }
    return {
      title: say('tags_on', { tags: add.join(', ') }),
      ...(remove.length > 0 && { detail: say('tags_off', { tags: remove.join(', ') }) }),
    }
  },
  Form,
}

function Form({ field }: FormProps<Tag>) {
  const t = useWords(formWords)
  return (
    <>
      <Tags label={t('tags_add')} {...field('add')} />
      <Tags label={t('tags_remove')} {...field('remove')} />
    </>
  )
}

function Tags({
  at,
  label,
  value,
  onChange,
}: {
  at: string
  label: string
  value: string[]
  onChange(tags: string[]): void
}) {
  const { tags, errorAt, mayEdit } = useBuilderContext()
  const { compare } = useFormat()
  return (
    <TagsInput
      id={idOf(at)}
      label={label}
      data={tags.toSorted(compare)}
      value={value}
      maxTags={FLOW_LIMITS.tagsOfStep}
      error={errorAt(at)}
      readOnly={!mayEdit}
      onChange={onChange}
    />
  )
}
