import { Button } from '@mantine/core'
import { FLOW_LIMITS } from '../../../core/limits/flows.ts'
import { CAPABILITIES } from '../../../rules/messaging/channel-capabilities.ts'
import { ANSWER_KINDS } from '../../../core/vocabulary/flows.ts'
import { Icon } from '../../parts/Icon.tsx'
import { IconButton } from '../../parts/IconButton.tsx'
import { useWords } from '../../words/use-words.tsx'
import { useBuilderContext } from '../builder-context.ts'
import type { StepOf } from '../draft.ts'
import layout from '../../parts/layout.module.css'
import styles from '../flows.module.css'
import stepsStyles from './steps.module.css'
import { formWords } from '../words-forms.ts'
import {
  FilledText,
  Line,
  MaybeNumber,
  Minutes,
  OneOf,
  OptionalExit,
  SaveAs,
  YesNo,
  NotSentExit,
} from './fields.tsx'
import {
  mainNext,
  optionalExit,
  type Bound,
  type FormProps,
  type StepKindDesign,
} from './step-kind.ts'

type Ask = StepOf<'ask'>

const DAY = 24 * 60

export const ASK: StepKindDesign<Ask> = {
  icon: 'help',
  group: 'talk',
  make: () => ({
    kind: 'ask',
    text: '',
    answer: 'text',
    options: [],
    min: null,
    max: null,
    retries: 2,
    retryText: null,
    saveAs: 'answer',
    timeoutMinutes: DAY,
    next: null,
    onInvalid: null,
    onTimeout: null,
    onNotSent: null,
  }),
  exits: ({ answer, options, next, onInvalid, onTimeout, onNotSent }) => [
    ...options.flatMap(({ label, next: own }, place) =>
      answer !== 'choice' || own === undefined
        ? []
        : [{ exit: `options[${place}].next`, to: own, label: () => label }],
    ),
    {
      exit: 'next',
      to: next,
      label: (say) => say(answer === 'choice' ? 'exit_other_answer' : 'exit_answered'),
      tone: 'ok',
    },
    { exit: 'onTimeout', to: onTimeout, label: (say) => say('exit_timeout'), tone: 'bad' },
    ...optionalExit('onInvalid', onInvalid, 'exit_no_answer'),
    ...optionalExit('onNotSent', onNotSent, 'exit_not_sent'),
  ],
  main: mainNext,
  needsTemplateBefore: true,
  sets: ({ saveAs }, exit) =>
    saveAs !== null && (exit === 'next' || exit.startsWith('options')) ? [saveAs] : [],
  summary: ({ text, answer }, say) => ({
    title: text || say('nothing_yet'),
    detail: say(`answer_${answer}`),
  }),
  Form,
}

function Form({ id, step, set, openExit, closeExit, field, text }: FormProps<Ask>) {
  const t = useWords(formWords)
  const { channel } = useBuilderContext()
  const isChoice = step.answer === 'choice'
  return (
    <>
      <FilledText
        label={t('question')}
        max={(channel && CAPABILITIES[channel.type].longestText) ?? undefined}
        unit={channel ? CAPABILITIES[channel.type].textUnit : undefined}
        {...field('text')}
      />
      <OneOf
        label={t('expects')}
        options={ANSWER_KINDS.map((value) => ({ value, label: t(`answer_${value}`) }))}
        {...field('answer')}
      />
      {isChoice && <Options id={id} step={step} set={set} />}
      {(step.answer === 'number' || step.answer === 'text') && (
        <div className={stepsStyles.pair}>
          <MaybeNumber
            label={t(step.answer === 'number' ? 'least' : 'least_chars')}
            {...field('min')}
          />
          <MaybeNumber
            label={t(step.answer === 'number' ? 'most' : 'most_chars')}
            {...field('max')}
          />
        </div>
      )}
      <SaveAs {...field('saveAs')} />
      <Minutes label={t('waits_at_most')} {...field('timeoutMinutes')} />
      <Retries id={id} step={step} set={set} text={text} />
      <OptionalExit
        label={t('way_invalid')}
        help={t('way_invalid_help')}
        isOpen={step.onInvalid !== null}
        onOpen={() => openExit('onInvalid')}
        onClose={() => closeExit('onInvalid')}
      />
      <NotSentExit step={step} openExit={openExit} closeExit={closeExit} />
    </>
  )
}

/** The number of retries, and the message before each. */
export function Retries({
  id,
  step: { retries },
  set,
  text,
}: {
  id: string
  step: Pick<Ask, 'retries'>
  set(change: Pick<Ask, 'retries'>): void
  text(name: 'retryText'): Bound<string>
}) {
  const t = useWords(formWords)
  return (
    <>
      <OneOf
        at={`steps.${id}.retries`}
        label={t('retries')}
        value={String(retries)}
        options={Array.from({ length: FLOW_LIMITS.retries + 1 }, (_, n) => ({
          value: String(n),
          label: t('times', { n }),
        }))}
        onChange={(n) => set({ retries: Number(n) })}
      />
      {retries > 0 && (
        <FilledText label={t('retry_text')} help={t('retry_text_help')} {...text('retryText')} />
      )}
    </>
  )
}

function Options({ id, step, set }: Pick<FormProps<Ask>, 'id' | 'step' | 'set'>) {
  const t = useWords(formWords)
  const { mayEdit, channel, errorAt } = useBuilderContext()
  const { options } = step
  const buttons = channel && CAPABILITIES[channel.type].buttons
  const change = (place: number, option: Partial<Ask['options'][number]>) =>
    set({ options: options.map((one, at) => (at === place ? { ...one, ...option } : one)) })
  const error = errorAt(`steps.${id}.options`)
  return (
    <fieldset className={stepsStyles.box} id={`at-steps.${id}.options`} tabIndex={-1}>
      <legend>{t('options')}</legend>
      {buttons && <p className={styles.help}>{t('options_help', { n: buttons.max })}</p>}
      {options.map((option, place) => (
        <div key={place} className={styles.condition}>
          <div className={styles.row}>
            <div className={layout.grow}>
              <Line
                at={`steps.${id}.options[${place}].label`}
                label={t('option_n', { n: place + 1 })}
                value={option.label}
                maxLength={FLOW_LIMITS.optionChars}
                onChange={(label) =>
                  // The value of an option follows its label until it gets a different one.
                  change(place, { label, ...(option.value === option.label && { value: label }) })
                }
              />
            </div>
            {mayEdit && (
              <IconButton
                icon="close"
                label={t('remove_option', { name: option.label })}
                variant="default"
                onClick={() => set({ options: options.filter((_, at) => at !== place) })}
              />
            )}
          </div>
          <Line
            at={`steps.${id}.options[${place}].value`}
            label={t('kept_value')}
            value={option.value}
            maxLength={FLOW_LIMITS.optionChars}
            onChange={(value) => change(place, { value })}
          />
          <YesNo
            label={t('option_own_way')}
            value={option.next !== undefined}
            onChange={(isOwn) => {
              const { next: _, ...rest } = option
              const changed = isOwn ? { ...rest, next: null } : rest
              set({ options: options.map((one, at) => (at === place ? changed : one)) })
            }}
          />
        </div>
      ))}
      {error !== undefined && <p className={layout.bad}>{error}</p>}
      {mayEdit && options.length < FLOW_LIMITS.options && (
        <Button
          size="xs"
          leftSection={<Icon name="plus" />}
          onClick={() => {
            const name = t('option_n', { n: options.length + 1 }).replaceAll(/[\u2066-\u2069]/g, '')
            set({ options: [...options, { value: name, label: name }] })
          }}
        >
          {t('add_option')}
        </Button>
      )}
    </fieldset>
  )
}
