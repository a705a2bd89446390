import type { ReactNode } from 'react'
import type { ReplyDetail, StepView } from '../../../contract/dashboard/assistant-reply.ts'
import { GUARD_FAULTS } from '../../../vocabulary/reply-guard.ts'
import { Ltr } from '../../parts/Code.tsx'
import type { IconName } from '../../parts/icons.ts'
import type { Tone } from '../../parts/Pill.tsx'
import { Time } from '../../parts/Time.tsx'
import { Timeline, type Moment } from '../../parts/Timeline.tsx'
import { useFormat } from '../../words/format.ts'
import { Rich, useWords } from '../../words/use-words.tsx'
import { useReasonName } from '../../inbox/Marks.tsx'
import { LongText } from './LongText.tsx'
import styles from './replies.module.css'
import { stepWords } from './words-steps.ts'

/** What happened for a reply, oldest first, each with where in its time it lies. */
export function TraceSteps({ reply }: { reply: ReplyDetail }) {
  const t = useWords(stepWords)
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
      icon: 'inbox',
      content: (
        <Step title={t('heard')} at={reply.heard.at(-1)?.at ?? reply.startedAt}>
          {reply.heard.length === 0 && <p className={styles.small}>{t('heard_gone')}</p>}
          {reply.heard.map(({ id, type, text, transcript }) => (
            <blockquote key={id} className={styles.quote} dir="auto">
              {text ?? transcript ?? <Ltr>{type}</Ltr>}
            </blockquote>
          ))}
        </Step>
      ),
    },
    ...reply.steps.map((step) => momentOf(step, span)),
  ]
  if (reply.handover) {
    const { reason, reasonText, at } = reply.handover
    moments.push({
      key: 'handover',
      tone: 'warn',
      icon: 'hand_over',
      content: (
        <Step title={t('handed_over')} at={at}>
          <p className={styles.small}>{reasonName(reason)}</p>
          {reasonText !== null && (
            <blockquote className={styles.quote} dir="auto">
              {reasonText}
            </blockquote>
          )}
        </Step>
      ),
    })
  }
  moments.push(...reply.said.map(saidMoment))
  if (reply.said.length === 0 && reply.endedAt !== null) {
    moments.push({
      key: 'nothing',
      tone: 'off',
      icon: 'off',
      content: (
        <Step title={t('said_nothing')} at={reply.endedAt}>
          <p className={styles.small}>{reply.why?.text}</p>
        </Step>
      ),
    })
  }
  return <Timeline label={t('steps')} moments={moments} />
}

/** The steps alone, of a reply that was only thought out. */
export function StepList({ steps }: { steps: readonly StepView[] }) {
  const t = useWords(stepWords)
  const begins = Math.min(...steps.map(({ at }) => Date.parse(at)))
  const ends = steps.map(({ at, durationMs }) => Date.parse(at) + (durationMs ?? 0))
  const span: Span = { begins, ms: Math.max(1, Math.max(...ends) - begins) }
  return <Timeline label={t('steps')} moments={steps.map((step) => momentOf(step, span))} />
}

type Span = { begins: number; ms: number }

const NOT_GONE: readonly (string | null)[] = ['failed', 'cancelled', 'unknown']

function saidMoment({ id, text, status, at }: ReplyDetail['said'][number]): Moment {
  const isGone = !NOT_GONE.includes(status)
  return {
    key: id,
    tone: isGone ? 'ok' : 'bad',
    icon: 'send',
    content: <Said text={text} status={status} at={at} isGone={isGone} />,
  }
}

function Said({
  text,
  status,
  at,
  isGone,
}: {
  text: string | null
  status: string | null
  at: string
  isGone: boolean
}) {
  const t = useWords(stepWords)
  return (
    <Step title={t(isGone ? 'said' : 'not_said')} at={at}>
      <blockquote className={styles.said} dir="auto">
        {text}
      </blockquote>
      {!isGone && status !== null && (
        <p className={styles.small}>
          <Ltr>{status}</Ltr>
        </p>
      )}
    </Step>
  )
}

const LOOKS: Readonly<Record<StepView['kind'], { tone: Tone; icon: IconName }>> = {
  model: { tone: 'busy', icon: 'sparkles' },
  tool: { tone: 'accent', icon: 'bolt' },
  search: { tone: 'accent', icon: 'book' },
  guard: { tone: 'warn', icon: 'edit' },
}

function momentOf(step: StepView, span: Span): Moment {
  const isSearch = step.name === 'search_knowledge'
  const { tone, icon } = LOOKS[isSearch ? 'search' : step.kind]
  const isBad = step.state === 'failed' && tone !== 'warn'
  return {
    key: `${step.epoch}-${step.number}`,
    tone: isBad ? 'bad' : tone,
    icon,
    content: <TraceStep step={step} span={span} />,
  }
}

const BODIES: Readonly<Record<StepView['kind'], (given: { step: StepView }) => ReactNode>> = {
  model: ModelStep,
  guard: GuardStep,
  tool: ToolStep,
  search: ToolStep,
}

function TraceStep({ step, span }: { step: StepView; span: Span }) {
  const Body = BODIES[step.kind]
  const t = useWords(stepWords)
  const title = useTitle(step)
  return (
    <Step title={title} durationMs={step.durationMs} at={step.at} span={span}>
      {step.state === 'interrupted' && <p className={styles.small}>{t('interrupted')}</p>}
      {step.state === 'started' && <p className={styles.small}>{t('under_way')}</p>}
      <Body step={step} />
    </Step>
  )
}

/** By this name the customer's answer to what was stated to them is read. */
const AGREEMENT = '(agreement)'

const TOOLS = [
  'search_knowledge',
  'hand_over',
  'record_lead',
  'find_slots',
  'book_appointment',
  'cancel_appointment',
  'set_customer',
] as const

function useTitle({ kind, name, input, isDone, state }: StepView): ReactNode {
  const t = useWords(stepWords)
  if (kind === 'model') return t(state === 'failed' ? 'no_answer' : 'asked_model')
  if (kind === 'guard') return t('mended')
  if (name === AGREEMENT && input === null) return t('agreement')
  const known = TOOLS.find((tool) => tool === name)
  const words = known ? t(`tool_${known}`) : t('tool_action')
  return (
    <>
      {isDone === false && state === 'done' ? t('not_done', { what: words }) : words}{' '}
      {name !== null && <Ltr>{name}</Ltr>}
    </>
  )
}

function ModelStep({ step }: { step: StepView }) {
  const t = useWords(stepWords)
  const { tokensIn, tokensOut, calls, tried, failure, text } = step
  return (
    <>
      {tried.map(({ model, failure: why }, at) => (
        <p key={at} className={styles.small}>
          <Rich
            words={stepWords}
            say="gave_no_answer"
            with={{ model, failure: <Ltr>{why}</Ltr> }}
          />
        </p>
      ))}
      {failure !== null && (
        <p className={styles.small}>
          <Ltr>{failure}</Ltr>
        </p>
      )}
      {tokensIn !== null && (
        <p className={styles.small}>{t('tokens', { in: tokensIn, out: tokensOut ?? 0 })}</p>
      )}
      {calls.map(({ name, input }, at) => (
        <p key={at} className={styles.small}>
          {t('chose')} <Ltr>{name}</Ltr> <Ltr>{input}</Ltr>
        </p>
      ))}
      {text !== null && text !== '' && <LongText label={t('wrote')} text={text} />}
    </>
  )
}

function GuardStep({ step: { failure } }: { step: StepView }) {
  const t = useWords(stepWords)
  const known = GUARD_FAULTS.find((fault) => fault === failure)
  return <p className={styles.small}>{known ? t(`guard_${known}`) : t('guard_other')}</p>
}

function ToolStep({ step: { name, input, text, chunks } }: { step: StepView }) {
  const t = useWords(stepWords)
  const format = useFormat()
  return (
    <>
      {input !== null && name !== 'search_knowledge' && (
        <p className={styles.small}>
          {t('with')} <Ltr>{input}</Ltr>
        </p>
      )}
      {chunks.map(({ number, title, heading, score }) => (
        <div key={number} className={styles.chunk}>
          <span>
            <bdi>{title}</bdi>
            {heading !== null && (
              <>
                {' · '}
                <bdi>{heading}</bdi>
              </>
            )}
          </span>
          <span className={styles.score}>{t('match', { score: format.number(round(score)) })}</span>
        </div>
      ))}
      {text !== null && <LongText label={t('was_told')} text={text} />}
    </>
  )
}

function round(score: number): number {
  return Math.round(score * 100) / 100
}

/** A line of the trace: what, when or how long, and where in the whole. */
function Step({
  title,
  at,
  durationMs,
  span,
  children,
}: {
  title: ReactNode
  at: string
  durationMs?: number | null
  span?: Span
  children: ReactNode
}) {
  const format = useFormat()
  const isTimed = durationMs !== undefined && durationMs !== null
  return (
    <div className={styles.step}>
      <div className={styles.stepHead}>
        <h2 className={styles.stepTitle}>{title}</h2>
        <span className={styles.figure}>
          {isTimed ? format.milliseconds(durationMs) : <Time at={at} as="timeWithSeconds" />}
        </span>
        {span && (
          <span className={styles.bar} aria-hidden>
            <span style={placeOf(at, durationMs ?? 0, span)} />
          </span>
        )}
      </div>
      {children}
    </div>
  )
}

function placeOf(at: string, durationMs: number, { begins, ms }: Span) {
  const from = Math.min(0.98, Math.max(0, (Date.parse(at) - begins) / ms))
  const width = Math.min(1 - from, Math.max(0.02, durationMs / ms))
  return { insetInlineStart: `${from * 100}%`, inlineSize: `${width * 100}%` }
}
