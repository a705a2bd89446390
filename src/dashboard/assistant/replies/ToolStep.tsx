import type { ReactNode } from 'react'
import { PageLink } from '../../parts/PageLink.tsx'
import type { StepView } from '../../../contract/dashboard/assistant-reply.ts'
import { useMay } from '../../app/session.ts'
import { Ltr } from '../../parts/Code.tsx'
import type { IconName } from '../../parts/icons.ts'
import { Pill } from '../../parts/Pill.tsx'
import { Time } from '../../parts/Time.tsx'
import { useFormat } from '../../words/format.ts'
import { Rich, useWords } from '../../words/use-words.tsx'
import { LongText } from './LongText.tsx'
import styles from './replies.module.css'
import { replyStepWords } from './words-steps.ts'
import { compactJson, isContainer, readJson } from '../../../rules/text/json-text.ts'

/** The built-in tools with their icons; any other tool is an action of the company. */
export const TOOLS = {
  search_knowledge: 'book',
  hand_over: 'hand_over',
  record_lead: 'target',
  find_slots: 'calendar',
  book_appointment: 'calendar_plus',
  cancel_appointment: 'calendar',
  set_customer: 'person',
} as const satisfies Record<string, IconName>

/** Returns the name of a tool if it is one of the built-in tools, else null. */
export function toolOf(name: string | null): keyof typeof TOOLS | null {
  return name !== null && Object.hasOwn(TOOLS, name) ? (name as keyof typeof TOOLS) : null
}

/** The name of the step in which the customer's answer to a confirmation was read. */
const AGREEMENT = '(agreement)'

/** Returns whether a step of a reply read the customer's answer to a proposal. */
export const isAnswerToProposal = ({ name, input }: StepView) =>
  name === AGREEMENT && input === null

/** Returns a function that names the tool of a step in the language of the interface. */
export function useToolTitle(): (step: StepView) => ReactNode {
  const t = useWords(replyStepWords)
  return (step) => {
    const { name, isDone, state, answered, statement } = step
    if (isAnswerToProposal(step))
      return t(answered === null ? 'agreement' : `agreement_${answered}`)
    const known = toolOf(name)
    const ofAction = statement === null ? 'tool_action' : 'tool_asks'
    const words = known ? t(`tool_${known}`) : t(ofAction)
    return (
      <>
        {isDone === false && state === 'done' ? t('not_done', { what: words }) : words}{' '}
        {name !== null && known !== 'search_knowledge' && <ToolChip name={name} />}
      </>
    )
  }
}

/** The name of a tool, as the model knows it. */
export function ToolChip({ name }: { name: string }) {
  return (
    <span className={styles.chip}>
      <Ltr>{name}</Ltr>
    </span>
  )
}

/** The input and result of a tool, or how the customer's answer was read. */
export function ToolStep({ step, cited }: { step: StepView; cited: readonly number[] }) {
  const t = useWords(replyStepWords)
  const { name, input, text, chunks, statement, booked, answered } = step
  if (isAnswerToProposal(step) && answered !== null) return <Agreement step={step} />
  return (
    <>
      {statement !== null && (
        <blockquote className={styles.said}>
          <bdi dir="auto">{statement}</bdi>
        </blockquote>
      )}
      {booked !== null && <Booked booked={booked} input={input} />}
      {booked === null && input !== null && name !== 'search_knowledge' && (
        <ToolArguments input={input} />
      )}
      {chunks.map((chunk) => (
        <Chunk key={chunk.number} chunk={chunk} isCited={cited.includes(chunk.number)} />
      ))}
      {text !== null && <LongText label={t('was_told')} text={text} />}
    </>
  )
}

/** The reasons for which a proposal is withdrawn. */
const WITHDRAWN = ['refused', 'unclear', 'too_late'] as const

function Agreement({ step: { answered, confirmation: asked, isDone, text } }: { step: StepView }) {
  const t = useWords(replyStepWords)
  const why = WITHDRAWN.find((one) => one === text) ?? 'asked_again'
  const outcome = answered === 'agreed' ? (isDone === true ? 'done' : 'not_done') : why
  return (
    <>
      {asked !== null && (
        <p className={styles.small}>
          <Rich
            words={replyStepWords}
            say="asked_at"
            with={{ time: <Time at={asked.at} as="timeWithSeconds" /> }}
          />
        </p>
      )}
      {asked?.text != null && (
        <blockquote className={styles.quote}>
          <bdi dir="auto">{asked.text}</bdi>
        </blockquote>
      )}
      <p className={styles.small}>{t(`agreement_${outcome}`)}</p>
      {answered === 'agreed' && text !== null && <LongText label={t('was_told')} text={text} />}
    </>
  )
}

function Booked({
  booked: { reference, startsAt },
  input,
}: {
  booked: NonNullable<StepView['booked']>
  input: string | null
}) {
  const t = useWords(replyStepWords)
  const service = readToolArguments(input ?? '').find(([name]) => name === 'service')
  return (
    <div className={styles.found}>
      <span>
        {service ? (
          <Rich
            words={replyStepWords}
            say="service_at"
            with={{ service: service[1], when: <Time at={startsAt} /> }}
          />
        ) : (
          <Time at={startsAt} />
        )}
      </span>
      <span className={styles.foundEnd}>
        <Pill tone="ok">{t('confirmed')}</Pill>
        <Ltr>{reference}</Ltr>
      </span>
    </div>
  )
}

/** The arguments of a tool call, with their names. */
export function ToolArguments({ input }: { input: string }) {
  const given = readToolArguments(input)
  if (given.length === 0) return null
  return (
    <ul className={styles.given}>
      {given.map(([name, value]) => (
        <li key={name}>
          <Ltr>{name}</Ltr> <bdi dir="auto">{value}</bdi>
        </li>
      ))}
    </ul>
  )
}

function Chunk({ chunk, isCited }: { chunk: StepView['chunks'][number]; isCited: boolean }) {
  const t = useWords(replyStepWords)
  const format = useFormat()
  const { setUp } = useMay()
  const { sourceId, title, heading, score } = chunk
  return (
    <div className={styles.found}>
      <span>
        {sourceId === null || !setUp ? (
          <bdi>{title}</bdi>
        ) : (
          <PageLink to="assistant/knowledge/$source" params={{ source: sourceId }} named={title} />
        )}
        {heading !== null && heading !== title && (
          <>
            {' · '}
            <bdi>{heading}</bdi>
          </>
        )}
      </span>
      <span className={styles.foundEnd}>
        {isCited && <Pill tone="ok">{t('cited')}</Pill>}
        <span className={styles.figure}>
          <Rich
            words={replyStepWords}
            say="match"
            with={{ score: <b key="score">{format.number(round(score))}</b> }}
          />
        </span>
      </span>
    </div>
  )
}

function round(score: number): number {
  return Math.round(score * 100) / 100
}

/**
 * Returns the arguments of a tool call by name. Text that is no JSON object is returned unchanged, with an empty name.
 */
function readToolArguments(input: string): [name: string, value: string][] {
  if (input.trim() === '') return []
  const given = readJson(input)
  // A model may write invalid JSON.
  if (!given.ok || !isContainer(given.value) || Array.isArray(given.value)) return [['', input]]
  return Object.entries(given.value).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : compactJson(value),
  ])
}
