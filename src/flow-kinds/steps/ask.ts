import { z } from 'zod'
import { variableName } from '../../schemas/flow-names.ts'
import { fact } from '../../core/facts/fact.ts'
import { FLOW_LIMITS } from '../../core/limits/flows.ts'
import { MINUTE_MS } from '../../core/limits/units.ts'
import { buttonPayload } from '../../rules/flows/button-payload.ts'
import { readAnswer, type Question } from '../../rules/flows/read-answer.ts'
import { widestForm } from '../../rules/flows/shape-question.ts'
import { yesNoLabels } from '../../rules/flows/read-yes-no.ts'
import { CAPABILITIES } from '../../rules/messaging/channel-capabilities.ts'
import { foldText } from '../../rules/text/fold-text.ts'
import type { ChannelType } from '../../core/vocabulary/channels.ts'
import { ANSWER_KINDS } from '../../core/vocabulary/flows.ts'
import { issuesOfText } from './issues-of-text.ts'
import { setVariable } from './run-state.ts'
import {
  filledText,
  ifItFailed,
  ifNotSent,
  nextStep,
  stepIssue,
  variablesIn,
  type Resumed,
  type StepDefinition,
  type StepIssue,
  type Traversal,
} from './step-design.ts'
import { waitMinutes } from './wait-minutes.ts'

const optionText = z.string().trim().min(1).max(FLOW_LIMITS.optionChars)

const schema = z.object({
  kind: z.literal('ask'),
  text: filledText.min(1),
  answer: z.enum(ANSWER_KINDS),
  /** The options of a choice. An option without its own step continues with the step's `next`. */
  options: z
    .array(z.object({ value: optionText, label: optionText, next: nextStep.optional() }))
    .max(FLOW_LIMITS.options)
    .default([]),
  /** The bounds of a number, or of the characters of a text. */
  min: z.number().nullable().default(null),
  max: z.number().nullable().default(null),
  /** The number of repeated tries for the customer. */
  retries: z.number().int().min(0).max(FLOW_LIMITS.retries).default(2),
  /** The reply to an invalid answer. Null repeats the question. */
  retryText: filledText.min(1).nullable().default(null),
  saveAs: variableName.nullable(),
  timeoutMinutes: waitMinutes,
  next: nextStep,
  /** The step after the last invalid answer. Null hands the conversation over to staff. */
  onInvalid: nextStep.default(null),
  onTimeout: nextStep,
  onNotSent: ifNotSent,
})
type AskStep = z.infer<typeof schema>

const SILENT_EXITS = ['onTimeout', 'onNotSent']

/**
 * The step that asks the customer and stores their answer in one form. Spec: Flows › Questions; readings F29, F30, F31,
 * F32.
 */
export const ASK = {
  schema,
  exits: ({ next, onInvalid, onTimeout, onNotSent, options }) => ({
    next,
    onInvalid,
    onTimeout,
    onNotSent,
    ...Object.fromEntries(
      options.flatMap(({ next: own }, place) =>
        own === undefined ? [] : [[`options[${place}].next`, own]],
      ),
    ),
  }),
  sends: 'message',
  waits: { isAnswer: (exit) => !SILENT_EXITS.includes(exit) },
  reads: ({ text, retryText }) => variablesIn([text, retryText ?? '']),
  sets: ({ saveAs }, exit) =>
    saveAs && (exit === 'next' || exit.startsWith('options')) ? [saveAs] : [],
  enter(step, walk) {
    walk.state.wrongAnswers = 0
    return say(step, step.text, walk)
  },
  resume(step, input, walk) {
    switch (input.kind) {
      case 'sent':
        return { kind: 'wait', forReply: true, timeoutMs: step.timeoutMinutes * MINUTE_MS }
      case 'timeout':
        return { kind: 'go_on', to: step.onTimeout, done: fact('no_reply_in_time') }
      case 'reply': {
        const { around, state } = walk
        const answer = readAnswer(questionOf(step), input, { ...around, stepId: state.stepId! })
        return answer === null ? askAgain(step, walk) : take(step, answer, walk)
      }
      case 'send_failed':
      case 'called':
        return ifItFailed(step, input)
      case 'effect_done':
        return null
    }
  },
  issues: (step, { channelType }) => [
    ...issuesOfText('text', step.text, channelType),
    ...issuesOfText('retryText', step.retryText ?? '', channelType).filter(({ field }) => field),
    ...issuesOfOptions(step, channelType),
    ...(step.min !== null && step.max !== null && step.min > step.max
      ? [stepIssue('max', 'bounds_in_order', fact('bounds_in_order'))]
      : []),
  ],
} satisfies StepDefinition<AskStep>

function questionOf({ answer, options, min, max }: AskStep): Question {
  return answer === 'choice' ? { kind: answer, options } : { kind: answer, min, max }
}

function say(step: AskStep, asked: string, { state, around, fill }: Traversal) {
  const labels = labelsOf(step)
  const at = { runId: around.runId, stepId: state.stepId! }
  const options = labels.map((label, option) => ({
    label,
    payload: buttonPayload({ ...at, option }),
  }))
  return {
    kind: 'send' as const,
    content: { kind: 'question' as const, text: fill(asked), options },
  }
}

/** Returns the labels that the customer may tap. The two answers to a yes-or-no question are in its language. */
function labelsOf({ answer, options, text }: AskStep): string[] {
  if (answer === 'yes_no') return yesNoLabels(text)
  return answer === 'choice' ? options.map(({ label }) => label) : []
}

function take(step: AskStep, answer: string, { state }: Traversal): Resumed {
  state.wrongAnswers = 0
  if (step.saveAs) setVariable(state.variables, step.saveAs, answer)
  const own = step.answer === 'choice' && step.options.find(({ value }) => value === answer)?.next
  const to = own === undefined || own === false ? step.next : own
  return { kind: 'go_on', to, done: fact('answer_taken') }
}

function askAgain(step: AskStep, walk: Traversal): Resumed {
  walk.state.wrongAnswers += 1
  const done = fact('no_answer_to_question', { times: walk.state.wrongAnswers })
  if (walk.state.wrongAnswers <= step.retries) {
    return { ...say(step, step.retryText ?? step.text, walk), done }
  }
  walk.state.wrongAnswers = 0
  if (step.onInvalid !== null) return { kind: 'go_on', to: step.onInvalid, done }
  return { kind: 'end', act: { kind: 'hand_over', text: null, personId: null }, done }
}

function issuesOfOptions(step: AskStep, channelType: ChannelType | null): StepIssue[] {
  const { options, answer } = step
  if (answer !== 'choice') return []
  if (options.length === 0) return [stepIssue('options', 'options_given', fact('options_given'))]
  const form = channelType ? widestForm(CAPABILITIES[channelType], options.length) : null
  return options.flatMap(({ label, value }, place) => {
    const isTaken = (other: (typeof options)[number], index: number) =>
      index < place && (foldText(other.label) === foldText(label) || other.value === value)
    const at = `options[${place}].label`
    const issues: StepIssue[] = []
    if (options.some(isTaken)) {
      issues.push(stepIssue(at, 'options_differ', fact('options_differ', { label })))
    }
    if (form && [...label].length > form.labelChars) {
      const tooLong = fact('option_label_length', { label, max: form.labelChars })
      issues.push(stepIssue(at, 'option_label', tooLong))
    }
    return issues
  })
}
