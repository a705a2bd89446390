import { languageWords } from '../../../core/words/language-words.ts'
import { Button } from '@mantine/core'
import { FLOW_LIMITS } from '../../../core/limits/flows.ts'
import { Icon } from '../../parts/Icon.tsx'
import { IconButton } from '../../parts/IconButton.tsx'
import { useWords } from '../../words/use-words.tsx'
import { useBuilderContext } from '../builder-context.ts'
import type { StepOf } from '../draft.ts'
import layout from '../../parts/layout.module.css'
import styles from '../flows.module.css'
import stepsStyles from './steps.module.css'
import { formWords } from '../words-forms.ts'
import { Comparison, comparisonText } from './comparison.tsx'
import { Either, Line, OneOf } from './fields.tsx'
import type { FormProps, SayStep, StepKindDesign } from './step-kind.ts'
import { VariableName } from './VariableName.tsx'

type BranchStep = StepOf<'branch'>
type Branch = BranchStep['branches'][number]
type Condition = Branch['conditions'][number]
type Of = Condition['of']

const SUBJECTS = ['variable', 'contact', 'field', 'tag', 'language', 'window', 'hours'] as const

const newCondition = (): Condition => ({ of: 'variable', name: 'answer', is: 'equal', value: '' })

export const BRANCH: StepKindDesign<BranchStep> = {
  icon: 'flow',
  group: 'decide',
  make: () => ({
    kind: 'branch',
    branches: [{ match: 'all', conditions: [newCondition()], next: null }],
    otherwise: null,
  }),
  exits: ({ branches, otherwise }) => [
    ...branches.map(({ conditions, next }, place) => ({
      exit: `branches[${place}].next`,
      to: next,
      label: (say: SayStep) =>
        conditions.length === 1
          ? conditionText(conditions[0]!, say)
          : say('exit_branch', { n: place + 1 }),
    })),
    { exit: 'otherwise', to: otherwise, label: (say) => say('exit_otherwise') },
  ],
  main: () => 'branches[0].next',
  summary: ({ branches }, say) => ({ title: say('branches_count', { n: branches.length }) }),
  Form,
}

function conditionText(condition: Condition, say: SayStep): string {
  switch (condition.of) {
    case 'variable':
      return comparisonText(condition.name, condition.is, condition.value, say)
    case 'contact':
      return comparisonText(say(`contact_${condition.name}`), condition.is, condition.value, say)
    case 'field':
      return comparisonText(condition.key, condition.is, condition.value, say)
    case 'tag':
      return say(condition.has ? 'has_tag' : 'has_not_tag', { tag: condition.tag })
    case 'language':
      return say(condition.is === 'ar' ? 'speaks_arabic' : 'speaks_english')
    case 'window':
      return say(condition.isOpen ? 'window_open' : 'window_closed')
    case 'hours':
      return say(condition.isOpen ? 'shop_open' : 'shop_closed')
  }
}

function Form({ id, step, set }: FormProps<BranchStep>) {
  const t = useWords(formWords)
  const { mayEdit } = useBuilderContext()
  const { branches } = step
  const change = (place: number, branch: Branch) =>
    set({ branches: branches.map((one, at) => (at === place ? branch : one)) })
  return (
    <>
      <p>{t('branches_help')}</p>
      {branches.map((branch, place) => (
        <OneBranch
          key={place}
          id={id}
          place={place}
          branch={branch}
          onChange={(changed) => change(place, changed)}
          onRemove={
            branches.length > 1
              ? () => set({ branches: branches.filter((_, at) => at !== place) })
              : null
          }
        />
      ))}
      {mayEdit && branches.length < FLOW_LIMITS.branches && (
        <Button
          leftSection={<Icon name="plus" />}
          onClick={() =>
            set({
              branches: [...branches, { match: 'all', conditions: [newCondition()], next: null }],
            })
          }
        >
          {t('add_branch')}
        </Button>
      )}
    </>
  )
}

function OneBranch({
  id,
  place,
  branch,
  onChange,
  onRemove,
}: {
  id: string
  place: number
  branch: Branch
  onChange(branch: Branch): void
  onRemove: (() => void) | null
}) {
  const t = useWords(formWords)
  const { mayEdit } = useBuilderContext()
  const { match, conditions } = branch
  return (
    <fieldset className={stepsStyles.box}>
      <legend>{t('branch_n', { n: place + 1 })}</legend>
      {conditions.length > 1 && (
        <Either
          label={t('match')}
          value={match}
          options={[
            { value: 'all', label: t('match_all') },
            { value: 'any', label: t('match_any') },
          ]}
          onChange={(chosen) => onChange({ ...branch, match: chosen })}
        />
      )}
      {conditions.map((condition, at) => (
        <OneCondition
          key={at}
          stepId={id}
          at={`steps.${id}.branches[${place}].conditions[${at}]`}
          condition={condition}
          onChange={(changed) =>
            onChange({
              ...branch,
              conditions: conditions.map((one, index) => (index === at ? changed : one)),
            })
          }
          onRemove={
            conditions.length > 1
              ? () =>
                  onChange({ ...branch, conditions: conditions.filter((_, index) => index !== at) })
              : null
          }
        />
      ))}
      {mayEdit && (
        <div className={styles.row}>
          {conditions.length < FLOW_LIMITS.conditions && (
            <Button
              size="xs"
              leftSection={<Icon name="plus" />}
              onClick={() => onChange({ ...branch, conditions: [...conditions, newCondition()] })}
            >
              {t('add_condition')}
            </Button>
          )}
          {onRemove && (
            <Button size="xs" leftSection={<Icon name="trash" />} onClick={onRemove}>
              {t('remove_branch')}
            </Button>
          )}
        </div>
      )}
    </fieldset>
  )
}

/** Returns a new condition on a kind of value. */
function conditionOf(of: Of, fields: readonly { key: string }[]): Condition {
  switch (of) {
    case 'variable':
      return newCondition()
    case 'contact':
      return { of, name: 'name', is: 'equal', value: '' }
    case 'field':
      return { of, key: fields[0]?.key ?? 'field', is: 'equal', value: '' }
    case 'tag':
      return { of, tag: 'VIP', has: true }
    case 'language':
      return { of, is: 'ar' }
    case 'window':
    case 'hours':
      return { of, isOpen: true }
  }
}

function OneCondition({
  stepId,
  at,
  condition,
  onChange,
  onRemove,
}: {
  stepId: string
  at: string
  condition: Condition
  onChange(condition: Condition): void
  onRemove: (() => void) | null
}) {
  const t = useWords(formWords)
  const { fields, mayEdit, errorAt } = useBuilderContext()
  const error = errorAt(at)
  return (
    <div className={styles.condition}>
      <div className={styles.row}>
        <div className={layout.grow}>
          <OneOf
            at={`${at}.of`}
            label={t('condition_of')}
            value={condition.of}
            options={SUBJECTS.map((value) => ({ value, label: t(`of_${value}`) }))}
            onChange={(of) => onChange(conditionOf(of, fields))}
          />
        </div>
        {mayEdit && onRemove && (
          <IconButton
            icon="close"
            label={t('remove_condition')}
            variant="default"
            onClick={onRemove}
          />
        )}
      </div>
      <Subject stepId={stepId} at={at} condition={condition} onChange={onChange} />
      {error !== undefined && <p className={layout.bad}>{error}</p>}
    </div>
  )
}

type ConditionOf<Kind extends Of> = Extract<Condition, { of: Kind }>

type SubjectProps<Subject extends Condition = Condition> = {
  stepId: string
  at: string
  condition: Subject
  onChange(condition: Condition): void
}

function Subject(props: SubjectProps) {
  const t = useWords(formWords)
  const nameOfLanguage = useWords(languageWords)
  const { condition, onChange } = props
  switch (condition.of) {
    case 'variable':
    case 'contact':
    case 'field':
      return <Compared {...props} condition={condition} />
    case 'tag':
      return <Tagged {...props} condition={condition} />
    case 'language':
      return (
        <Either
          label={t('language')}
          value={condition.is}
          options={[
            { value: 'ar', label: nameOfLanguage('ar') },
            { value: 'en', label: nameOfLanguage('en') },
          ]}
          onChange={(is) => onChange({ ...condition, is })}
        />
      )
    case 'window':
    case 'hours':
      return (
        <Either
          label={t(`of_${condition.of}`)}
          value={condition.isOpen ? 'open' : 'closed'}
          options={[
            { value: 'open', label: t('open') },
            { value: 'closed', label: t('closed') },
          ]}
          onChange={(is) => onChange({ ...condition, isOpen: is === 'open' })}
        />
      )
  }
}

/** Fields that compare a text with another one. */
function Compared(props: SubjectProps<ConditionOf<'variable' | 'contact' | 'field'>>) {
  const { at, condition, onChange } = props
  return (
    <>
      <ComparedWhat {...props} />
      <Comparison
        at={at}
        is={condition.is}
        value={condition.value}
        onChange={(change) => onChange({ ...condition, ...change })}
      />
    </>
  )
}

function ComparedWhat({
  stepId,
  at,
  condition,
  onChange,
}: SubjectProps<ConditionOf<'variable' | 'contact' | 'field'>>) {
  const t = useWords(formWords)
  const { variablesAt, fields } = useBuilderContext()
  if (condition.of === 'variable') {
    return (
      <VariableName
        at={`${at}.name`}
        label={t('variable')}
        names={variablesAt(stepId)}
        value={condition.name}
        onChange={(name) => onChange({ ...condition, name })}
      />
    )
  }
  if (condition.of === 'contact') {
    return (
      <OneOf
        at={`${at}.name`}
        label={t('contact_what')}
        value={condition.name}
        options={(['name', 'phone', 'email'] as const).map((value) => ({
          value,
          label: t(`contact_${value}`),
        }))}
        onChange={(name) => onChange({ ...condition, name })}
      />
    )
  }
  return (
    <OneOf
      at={`${at}.key`}
      label={t('contact_field')}
      value={condition.key}
      options={fields.map(({ key, label }) => ({ value: key, label }))}
      onChange={(key) => onChange({ ...condition, key })}
    />
  )
}

function Tagged({ at, condition, onChange }: SubjectProps<ConditionOf<'tag'>>) {
  const t = useWords(formWords)
  return (
    <>
      <Line
        at={`${at}.tag`}
        label={t('tag')}
        value={condition.tag}
        onChange={(tag) => onChange({ ...condition, tag })}
      />
      <Either
        label={t('tag')}
        value={condition.has ? 'yes' : 'no'}
        options={[
          { value: 'yes', label: t('tag_there') },
          { value: 'no', label: t('tag_not_there') },
        ]}
        onChange={(has) => onChange({ ...condition, has: has === 'yes' })}
      />
    </>
  )
}
