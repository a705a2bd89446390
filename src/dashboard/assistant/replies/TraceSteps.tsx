import type { ReactNode } from 'react'
import type { ReplyDetail, StepView } from '../../../contract/dashboard/assistant-reply.ts'
import { GUARD_FAULTS } from '../../../core/vocabulary/reply-guard.ts'
import { useReasonName } from '../../inbox/Marks.tsx'
import { Ltr } from '../../parts/Code.tsx'
import type { IconName } from '../../parts/icons.ts'
import type { Tone } from '../../parts/Pill.tsx'
import { Timeline, type Moment } from '../../parts/Timeline.tsx'
import { useFormat } from '../../words/format.ts'
import { Rich, useWords } from '../../words/use-words.tsx'
import { LongText } from './LongText.tsx'
import styles from './replies.module.css'
import {
  ToolChip,
  ToolArguments,
  isAnswerToProposal,
  toolOf,
  TOOLS,
  ToolStep,
  useToolTitle,
} from './ToolStep.tsx'
import { useDetailName } from './use-detail-name.ts'
import { replyStepWords } from './words-steps.ts'
import { Time } from '../../parts/Time.tsx'

/**
 * The timeline of a reply: the customer's messages, the steps, oldest first, a handover, and the sent messages, each
 * with its place in the reply's duration.
 */
export function TraceSteps({ reply }: { reply: ReplyDetail }) {
  const t = useWords(replyStepWords)
  const reasonName = useReasonName()
  const ends = [
    ...(reply.endedAt === null ? [] : [Date.parse(reply.endedAt)]),
    ...reply.said.map(({ at }) => Date.parse(at)),
    ...reply.steps.map(({ at, durationMs }) => Date.parse(at) + (durationMs ?? 0)),
  ]
  const begins = Date.parse(reply.thinkingAt ?? reply.startedAt)
  const span: Span = { begins, ms: Math.max(1, Math.max(begins, ...ends) - begins) }
  const moments: Moment[] = [
    {
      key: 'heard',
      tone: 'off',
      icon: 'channels',
      content: <Heard reply={reply} span={span} />,
    },
    ...momentsOf(reply.steps, span),
  ]
  if (reply.handover) {
    const { reason, reasonText, at } = reply.handover
    moments.push({
      key: 'handover',
      tone: 'warn',
      icon: 'hand_over',
      content: (
        <Step title={t('handed_over')} at={at} span={span} tone="warn">
          <p className={styles.small}>{reasonName(reason)}</p>
          {reasonText !== null && (
            <blockquote className={styles.quote}>
              <bdi dir="auto">{reasonText}</bdi>
            </blockquote>
          )}
        </Step>
      ),
    })
  }
  moments.push(...reply.said.map((said) => saidMoment(said, span)))
  if (reply.said.length === 0 && reply.endedAt !== null) {
    moments.push({
      key: 'nothing',
      tone: 'off',
      icon: 'off',
      content: (
        <Step title={t('said_nothing')} at={reply.endedAt} span={span} tone="off">
          <p className={styles.small}>{reply.why?.text}</p>
        </Step>
      ),
    })
  }
  return <Timeline label={t('steps')} moments={moments} />
}

/** The customer's messages that are answered, and how long the assistant waited for more. */
function Heard({
  reply: { heard, startedAt, thinkingAt },
  span,
}: {
  reply: ReplyDetail
  span: Span
}) {
  const t = useWords(replyStepWords)
  const format = useFormat()
  const n = heard.length
  const at = heard.at(-1)?.at ?? startedAt
  const waited = thinkingAt === null ? 0 : Date.parse(thinkingAt) - Date.parse(startedAt)
  return (
    <Step title={t('heard')} at={at} span={{ ...span, begins: Date.parse(at) }}>
      {n === 0 && <p className={styles.small}>{t('heard_gone')}</p>}
      {heard.map(({ id, type, text, transcript }) => (
        <blockquote key={id} className={styles.quote}>
          <bdi dir="auto">{text ?? transcript ?? <Ltr>{type}</Ltr>}</bdi>
        </blockquote>
      ))}
      {n > 0 && waited > 0 && (
        <p className={styles.small}>{t('heard_waited', { n, time: format.took(waited) })}</p>
      )}
    </Step>
  )
}

/** The steps of a reply of the playground, which has no stored reply around them. */
export function StepList({ steps }: { steps: readonly StepView[] }) {
  const t = useWords(replyStepWords)
  const begins = Math.min(...steps.map(({ at }) => Date.parse(at)))
  const ends = steps.map(({ at, durationMs }) => Date.parse(at) + (durationMs ?? 0))
  const span: Span = { begins, ms: Math.max(1, Math.max(...ends) - begins) }
  return <Timeline label={t('steps')} moments={momentsOf(steps, span)} />
}

const NOT_GONE: readonly (string | null)[] = ['failed', 'cancelled', 'unknown']

type SaidMessage = ReplyDetail['said'][number]

function saidMoment(said: SaidMessage, span: Span): Moment {
  const tone = NOT_GONE.includes(said.status) ? 'bad' : 'ok'
  return { key: said.id, tone, icon: 'send', content: <Said said={said} span={span} /> }
}

function Said({ said: { text, status, at }, span }: { said: SaidMessage; span: Span }) {
  const t = useWords(replyStepWords)
  const isGone = !NOT_GONE.includes(status)
  return (
    <Step title={t(isGone ? 'said' : 'not_said')} at={at} span={span} tone={isGone ? 'ok' : 'bad'}>
      <blockquote className={styles.said}>
        <bdi dir="auto">{text}</bdi>
      </blockquote>
      {!isGone && status !== null && (
        <p className={styles.small}>
          <Ltr>{status}</Ltr>
        </p>
      )}
    </Step>
  )
}

type Look = { tone: Tone; icon: IconName }

const LOOKS: Readonly<Record<StepView['kind'], Look>> = {
  model: { tone: 'busy', icon: 'chip' },
  tool: { tone: 'accent', icon: 'bolt' },
  search: { tone: 'accent', icon: 'book' },
  guard: { tone: 'warn', icon: 'adjust' },
  hear: { tone: 'accent', icon: 'play' },
}

const ANSWERED = { agreed: 'ok', withdrawn: 'off', ask_again: 'warn' } as const

function lookOf(step: StepView): Look {
  const { kind, name, answered, state } = step
  if (isAnswerToProposal(step)) {
    return { tone: answered === null ? 'off' : ANSWERED[answered], icon: 'shield' }
  }
  const known = toolOf(name)
  const { tone, icon } = LOOKS[kind]
  const isBad = state === 'failed' && tone !== 'warn'
  return { tone: isBad ? 'bad' : tone, icon: known === null ? icon : TOOLS[known] }
}

/** Returns the steps as moments. It marks the passages that the latest text cites by number. */
function momentsOf(steps: readonly StepView[], span: Span): Moment[] {
  const wrote = steps.findLast(({ kind, text }) => kind === 'model' && text !== null && text !== '')
  const cited = [...(wrote?.text ?? '').matchAll(/\[(\d{1,3})\]/g)].map(([, n]) => Number(n))
  const used = new Set(steps.map(({ name, input }) => callKey(name, input)))
  return steps.map((step) => {
    const look = lookOf(step)
    return {
      key: `${step.epoch}-${step.number}`,
      ...look,
      content: <TraceStep step={step} span={span} tone={look.tone} more={{ cited, used }} />,
    }
  })
}

const callKey = (name: string | null, input: string | null) => JSON.stringify([name, input])

/** Data of all steps: the cited passages, and the calls that have a separate step. */
type More = { cited: readonly number[]; used: ReadonlySet<string> }
type StepProps = { step: StepView; more: More }

const BODIES: Readonly<Record<StepView['kind'], (given: StepProps) => ReactNode>> = {
  model: ModelStep,
  guard: GuardStep,
  tool: ({ step, more }) => <ToolStep step={step} cited={more.cited} />,
  search: ({ step, more }) => <ToolStep step={step} cited={more.cited} />,
  hear: HearStep,
}

function TraceStep({ step, span, tone, more }: StepProps & { span: Span; tone: Tone }) {
  const Body = BODIES[step.kind]
  const t = useWords(replyStepWords)
  const toolTitle = useToolTitle()
  const title = useTitle(step) ?? toolTitle(step)
  return (
    <Step title={title} durationMs={step.durationMs} at={step.at} span={span} tone={tone}>
      {step.state === 'interrupted' && <p className={styles.small}>{t('interrupted')}</p>}
      {step.state === 'started' && <p className={styles.small}>{t('under_way')}</p>}
      <Body step={step} more={more} />
    </Step>
  )
}

/** Returns the title of a step, or null for a tool, whose title is the tool's. */
function useTitle({ kind, state }: StepView): string | null {
  const t = useWords(replyStepWords)
  if (kind === 'model') return t(state === 'failed' ? 'no_answer' : 'asked_model')
  if (kind === 'guard') return t('corrected')
  if (kind === 'hear') return t(state === 'failed' ? 'not_listened' : 'listened')
  return null
}

function ModelStep({ step, more }: StepProps) {
  const t = useWords(replyStepWords)
  const detailName = useDetailName()
  const { tokensIn, tokensOut, thought, calls, tried, failure, text } = step
  return (
    <>
      {tried.map(({ model, failure: why }, at) => (
        <p key={at} className={styles.small}>
          <Rich
            words={replyStepWords}
            say="gave_no_answer"
            with={{ model, failure: detailName(why) }}
          />
        </p>
      ))}
      {failure !== null && <p className={styles.small}>{detailName(failure)}</p>}
      {thought && (
        <p className={styles.small}>
          {thought.tokens === null
            ? t('thought_chars', { n: thought.chars })
            : t('thought_tokens', { n: thought.tokens })}
        </p>
      )}
      {tokensIn !== null && (
        <p className={styles.small}>
          {t('tokens', { in: tokensIn, out: tokensOut ?? 0 })}
          {calls.map((call, at) => (
            <Chosen key={at} name={call.name} />
          ))}
        </p>
      )}
      {calls.map(({ name, input }, at) =>
        more.used.has(callKey(name, input)) ? null : <ToolArguments key={at} input={input} />,
      )}
      {text !== null && text !== '' && <LongText label={t('wrote')} text={text} />}
    </>
  )
}

function Chosen({ name }: { name: string }) {
  const t = useWords(replyStepWords)
  const known = toolOf(name)
  return (
    <>
      {' '}
      {known === null ? (
        <Rich
          words={replyStepWords}
          say="chose_action"
          with={{ action: <ToolChip name={name} /> }}
        />
      ) : (
        t(`chose_${known}`)
      )}
    </>
  )
}

const DEAF = ['too_long', 'not_read'] as const

/** The model that transcribed voice notes, or the reason why none did. */
function HearStep({ step: { name, failure } }: StepProps) {
  const t = useWords(replyStepWords)
  const known = DEAF.find((why) => why === failure)
  return (
    <p className={styles.small}>
      {name !== null && <Ltr>{name}</Ltr>} {known ? t(`deaf_${known}`) : <Ltr>{failure}</Ltr>}
    </p>
  )
}

function GuardStep({ step: { failure, text } }: StepProps) {
  const t = useWords(replyStepWords)
  const known = GUARD_FAULTS.find((fault) => fault === failure)
  return (
    <p className={styles.small}>
      {known ? t(`guard_${known}`) : t('guard_other')}{' '}
      {text !== null && t('guard_words', { words: text })}
    </p>
  )
}

/** The time span of a whole reply, which contains its steps. */
type Span = { begins: number; ms: number }

/** A line of the timeline: its title, its time or duration, and its place in the span. */
function Step({
  title,
  at,
  durationMs,
  span,
  tone = 'accent',
  children,
}: {
  title: ReactNode
  at: string
  /** The duration. Without it the line is a moment and shows its time. */
  durationMs?: number | null
  span: Span
  tone?: Tone
  children?: ReactNode
}) {
  const format = useFormat()
  const isTimed = durationMs !== undefined && durationMs !== null
  return (
    <div className={styles.step}>
      <div className={styles.stepHead}>
        <h2 className={styles.stepTitle}>{title}</h2>
        <span className={styles.figure}>
          {isTimed ? format.took(durationMs) : <Time at={at} as="timeWithSeconds" />}
        </span>
        <span className={styles.bar} data-moment={durationMs === undefined} aria-hidden>
          <span data-tone={tone} style={placeOf(at, durationMs ?? 0, span)} />
        </span>
      </div>
      {children !== undefined && <div className={styles.stepBody}>{children}</div>}
    </div>
  )
}

function placeOf(at: string, durationMs: number, { begins, ms }: Span) {
  const from = Math.min(0.98, Math.max(0, (Date.parse(at) - begins) / ms))
  const width = Math.min(1 - from, Math.max(0.02, durationMs / ms))
  return { insetInlineStart: `${from * 100}%`, inlineSize: `${width * 100}%` }
}
