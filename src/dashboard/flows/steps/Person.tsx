import { useWords } from '../../words/use-words.tsx'
import { useBuilderContext, type BuilderLists } from '../builder-context.ts'
import { formWords } from '../words-forms.ts'
import { OneOf } from './fields.tsx'
import type { SayStep } from './step-kind.ts'

/** A field for the member who gets a conversation, or none in particular. */
export function Person({
  at,
  label,
  noneLabel,
  value: personId,
  onChange,
}: {
  at: string
  label: string
  noneLabel: string
  value: string | null
  onChange(personId: string | null): void
}) {
  const t = useWords(formWords)
  const { people } = useBuilderContext()
  const isGone = personId !== null && !people.some(({ id }) => id === personId)
  return (
    <OneOf
      at={at}
      label={label}
      value={personId ?? ''}
      options={[
        { value: '', label: noneLabel },
        ...people.map(({ id, name }) => ({ value: id, label: name })),
        ...(isGone ? [{ value: personId, label: t('person_gone') }] : []),
      ]}
      onChange={(id) => onChange(id === '' ? null : id)}
    />
  )
}

/** Returns the name of the member that a step assigns, or a text for none in particular or an unknown one. */
export function personNamed(
  personId: string | null,
  { people }: Pick<BuilderLists, 'people'>,
  say: SayStep,
): string {
  if (personId === null) return say('whoever_takes_it')
  return people.find(({ id }) => id === personId)?.name ?? say('somebody')
}
