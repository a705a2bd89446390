import { Button, SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { TrialView, TryAssistant } from '../../../contract/dashboard/assistant-trial.ts'
import { ASSISTANT_SETUP_LIMITS as LIMITS } from '../../../core/limits/assistant-setup.ts'
import { ASSISTANT_TONES, type AssistantTone } from '../../../core/vocabulary/assistant-setup.ts'
import { useApi } from '../../app/resources.ts'
import { Icon } from '../../parts/Icon.tsx'
import { Empty, Panel } from '../../parts/Page.tsx'
import { Pill } from '../../parts/Pill.tsx'
import { useApiMutation } from '../../parts/use-api-mutation.ts'
import { useReasonName } from '../../inbox/Marks.tsx'
import { useLanguage } from '../../words/language.ts'
import { Rich, useWords } from '../../words/use-words.tsx'
import { AssistantHead, AssistantPill } from '../AssistantHead.tsx'
import { StepList } from '../replies/TraceSteps.tsx'
import { useDetailName } from '../replies/use-detail-name.ts'
import { assistantWords } from '../words.ts'
import layout from '../../parts/layout.module.css'
import styles from './trial.module.css'
import { trialWords } from './words.ts'
import { isComposing } from '../../parts/is-composing.ts'

type Line = { key: number } & (
  | { by: 'customer'; text: string }
  | { by: 'assistant'; answer: TrialView }
)

type Draft = { name: string; profile: string; guidance: string; tone: AssistantTone }

/** The playground: a made-up conversation, the assistant's replies to it, and their reasons. */
export function Trial() {
  const { heard } = useSearch({ from: '/p/$company/assistant/try' })
  return heard === undefined ? <Talk begins="" /> : <TalkAsHeard key={heard} replyId={heard} />
}

/** The playground with a conversation that starts with a customer's question. */
function TalkAsHeard({ replyId }: { replyId: string }) {
  const { data: reply } = useSuspenseQuery(useApi().get('assistant/replies/:replyId', { replyId }))
  const words = reply.heard.flatMap(({ text, transcript }) => text ?? transcript ?? [])
  return <Talk begins={words.join('\n').slice(0, LIMITS.trialChars)} />
}

function Talk({ begins }: { begins: string }) {
  const t = useWords(trialWords)
  const api = useApi()
  const { data: assistant } = useSuspenseQuery(api.get('assistant'))
  const { name, profile, guidance, tone } = assistant
  const [draft, setDraft] = useState<Draft>({ name: name ?? '', profile, guidance, tone })
  const [lines, setLines] = useState<readonly Line[]>([])
  const [text, setText] = useState(begins)
  const { isBusy, run } = useApiMutation()
  const say = async () => {
    const words = text.trim()
    if (words === '' || isBusy) return
    const asked: Line[] = [...lines, { key: lines.length, by: 'customer', text: words }]
    setLines(asked)
    setText('')
    const answer = await run(async () => {
      const settings = { ...draft, name: draft.name.trim() === '' ? null : draft.name }
      const json = { settings, messages: toMessages(asked) }
      return api.call('post', 'assistant/try', json)
    })
    if (answer) setLines([...asked, { key: asked.length, by: 'assistant', answer }])
    else {
      setLines(lines)
      // Text that was typed meanwhile stays.
      setText((typed) => (typed === '' ? words : typed))
    }
  }
  return (
    <>
      <AssistantHead
        tab="try"
        lead={t('lead')}
        pill={<AssistantPill state={assistant.state} />}
        acts={lines.length > 0 && <Button onClick={() => setLines([])}>{t('start_over')}</Button>}
      />
      <div className={layout.columns}>
        <section className={styles.talk} aria-label={t('talk')}>
          {lines.length === 0 && <Empty title={t('none')}>{t('none_why')}</Empty>}
          <div role="log" aria-label={t('talk')} className={styles.lines}>
            {lines.map((line) =>
              line.by === 'customer' ? (
                <p key={line.key} className={styles.customer} dir="auto">
                  {line.text}
                </p>
              ) : (
                <Answer key={line.key} answer={line.answer} />
              ),
            )}
            {isBusy && (
              <p className={layout.help} role="status">
                {t('thinking')}
              </p>
            )}
          </div>
          <form
            className={styles.form}
            onSubmit={(event) => {
              event.preventDefault()
              void say()
            }}
          >
            <Textarea
              aria-label={t('as_customer')}
              placeholder={t('as_customer')}
              autosize
              minRows={1}
              maxRows={6}
              maxLength={LIMITS.trialChars}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.shiftKey) return
                if (isComposing(event.nativeEvent)) return
                event.preventDefault()
                void say()
              }}
            />
            <Button type="submit" variant="filled" loading={isBusy} disabled={text.trim() === ''}>
              {t('ask')}
            </Button>
          </form>
        </section>
        <DraftPanel draft={draft} onChange={setDraft} />
      </div>
    </>
  )
}

/** Returns the API's input: the latest lines of a long conversation, starting with a message of the customer. */
function toMessages(lines: readonly Line[]): TryAssistant['messages'] {
  return lines
    .flatMap((line): TryAssistant['messages'] => {
      if (line.by === 'customer') return [{ by: line.by, text: line.text }]
      const said = line.answer.said.join('\n')
      return said === '' ? [] : [{ by: line.by, text: said.slice(0, LIMITS.trialChars) }]
    })
    .slice(-LIMITS.trialMessages)
}

/** The reply, its simulated effects, and its reasons. */
function Answer({ answer: { said, handover, failure, steps } }: { answer: TrialView }) {
  const t = useWords(trialWords)
  const reasonName = useReasonName()
  const detailName = useDetailName()
  const asks = steps.findLast(({ statement }) => statement !== null)?.statement ?? null
  return (
    <article className={styles.answer}>
      {said.map((part, at) => (
        <p key={at} className={styles.assistant} dir="auto">
          {part}
        </p>
      ))}
      {asks !== null && (
        <div className={styles.assistant}>
          <p className={styles.statement} dir="auto">
            {asks}
          </p>
          <p className={layout.help}>{t('asks')}</p>
        </div>
      )}
      {handover && (
        <div className={styles.handover}>
          <Pill tone="warn" icon="hand_over">
            {t('handed_over')}
          </Pill>
          <span>{reasonName(handover.reason)}</span>
          {handover.detail !== null && <span>{detailName(handover.detail)}</span>}
          {handover.reasonText !== null && <span dir="auto">{handover.reasonText}</span>}
          {(handover.says === 'fixed' || handover.says === 'media') && (
            <span className={layout.help}>{t('fixed_said')}</span>
          )}
        </div>
      )}
      {failure !== null && (
        <div className={styles.handover}>
          <Pill tone="bad">{t('no_answer')}</Pill>
          <Rich words={trialWords} say="failure" with={{ failure: detailName(failure) }} />
        </div>
      )}
      {steps.length > 0 && (
        <details className={styles.why}>
          <summary>
            <Icon name="sparkles" size={14} /> {t('why')}
          </summary>
          <StepList steps={steps} />
        </details>
      )}
    </article>
  )
}

function DraftPanel({ draft, onChange }: { draft: Draft; onChange(draft: Draft): void }) {
  const t = useWords(trialWords)
  const words = useWords(assistantWords)
  const { direction } = useLanguage()
  const change = (part: Partial<Draft>) => onChange({ ...draft, ...part })
  return (
    <Panel title={t('draft')}>
      <div className={styles.draft}>
        <p className={layout.help}>{t('draft_help')}</p>
        <TextInput
          label={words('name')}
          maxLength={LIMITS.nameChars}
          value={draft.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <SegmentedControl
          aria-label={words('tone')}
          dir={direction}
          value={draft.tone}
          data={ASSISTANT_TONES.map((tone) => ({ value: tone, label: words(`tone_${tone}`) }))}
          onChange={(tone) => change({ tone })}
        />
        <Textarea
          label={words('profile')}
          autosize
          minRows={4}
          maxRows={12}
          maxLength={LIMITS.profileChars}
          value={draft.profile}
          onChange={(event) => change({ profile: event.currentTarget.value })}
        />
        <Textarea
          label={words('guidance')}
          autosize
          minRows={6}
          maxRows={16}
          maxLength={LIMITS.guidanceChars}
          value={draft.guidance}
          onChange={(event) => change({ guidance: event.currentTarget.value })}
        />
      </div>
    </Panel>
  )
}
