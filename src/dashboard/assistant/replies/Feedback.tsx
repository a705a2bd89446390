import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { ReplyDetail } from '../../../contract/dashboard/assistant-reply.ts'
import { ASSISTANT_SETUP_LIMITS } from '../../../core/limits/assistant-setup.ts'
import { useApi } from '../../app/resources.ts'
import { useMay, useSession } from '../../app/session.ts'
import { Icon } from '../../parts/Icon.tsx'
import { Panel } from '../../parts/Page.tsx'
import { Pill } from '../../parts/Pill.tsx'
import { toastSuccess } from '../../parts/toasts.tsx'
import { useApiMutation } from '../../parts/use-api-mutation.ts'
import { useWords } from '../../words/use-words.tsx'
import styles from './replies.module.css'
import { repliesWords } from './words.ts'
import { KNOWLEDGE_LIMITS } from '../../../core/limits/knowledge.ts'
import { Form, useApiForm } from '../../parts/form.tsx'

/**
 * Members' feedback on a reply of the assistant: good or bad, with a note. The assistant does not learn from it
 * automatically.
 */
export function Feedback({ reply }: { reply: ReplyDetail }) {
  const t = useWords(repliesWords)
  const api = useApi()
  const { person } = useSession()
  const { setUp } = useMay()
  const { isBusy, run } = useApiMutation()
  const own = reply.feedback.find((one) => one.person.id === person.id)
  const [note, setNote] = useState(own?.note ?? '')
  const [isAsked, setAsked] = useState(own?.isGood === false)
  const give = async (isGood: boolean) => {
    const saved = await run(async () => {
      const json = { isGood, note: isGood ? '' : note }
      return api.put('assistant/replies/:replyId/feedback', { replyId: reply.id }, json)
    })
    if (!saved) return
    toastSuccess(t('thanks'))
  }
  return (
    <Panel title={t('was_good')}>
      <div className={styles.votes}>
        <Button
          size="xs"
          aria-pressed={own?.isGood === true}
          loading={isBusy}
          leftSection={<Icon name="good" size={14} />}
          onClick={() => {
            setAsked(false)
            void give(true)
          }}
        >
          {t('yes')}
        </Button>
        <Button
          size="xs"
          aria-pressed={own?.isGood === false}
          leftSection={<Icon name="not_good" size={14} />}
          onClick={() => setAsked(true)}
        >
          {t('no')}
        </Button>
      </div>
      {isAsked && (
        <div className={styles.note}>
          <Textarea
            label={t('what_instead')}
            description={t('what_instead_help')}
            autosize
            minRows={3}
            maxLength={ASSISTANT_SETUP_LIMITS.feedbackChars}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          <Button size="xs" loading={isBusy} onClick={() => void give(false)}>
            {t('save_feedback')}
          </Button>
        </div>
      )}
      <ul className={styles.opinions}>
        {reply.feedback.map(({ person: who, isGood, note: words }) => (
          <li key={who.id}>
            <Pill tone={isGood ? 'ok' : 'warn'}>
              {t(isGood ? 'feedback_good' : 'feedback_bad')}
            </Pill>{' '}
            <bdi>{who.name ?? t('somebody')}</bdi>
            {words !== '' && <p dir="auto">{words}</p>}
          </li>
        ))}
      </ul>
      <p className={styles.small}>{t('not_learned')}</p>
      {setUp && reply.bad > 0 && <DraftQuestion reply={reply} />}
    </Panel>
  )
}

/** A member's note on a bad reply as a draft of a Q&A, which an Owner or Admin reviews and adds to the knowledge. */
function DraftQuestion({ reply }: { reply: ReplyDetail }) {
  const t = useWords(repliesWords)
  const [isOpen, setOpen] = useState(false)
  if (!isOpen) {
    return (
      <Button size="xs" mt="md" onClick={() => setOpen(true)}>
        {t('make_question')}
      </Button>
    )
  }
  return <QuestionForm reply={reply} onDone={() => setOpen(false)} />
}

function QuestionForm({ reply, onDone }: { reply: ReplyDetail; onDone(): void }) {
  const t = useWords(repliesWords)
  const api = useApi()
  const noted = reply.feedback.find(({ isGood, note }) => !isGood && note !== '')
  const form = useApiForm({
    values: {
      question: reply.heard.flatMap(({ text }) => text ?? []).join('\n'),
      answer: noted?.note ?? '',
    },
    onSubmit: (values) => api.post('knowledge/sources', { kind: 'faq', ...values }),
    done: t('question_added'),
    onDone: onDone,
  })
  return (
    <Form form={form} act={t('add_question')} className={styles.note}>
      <Textarea
        label={t('faq_question')}
        autosize
        maxLength={KNOWLEDGE_LIMITS.questionChars}
        {...form.field('question')}
      />
      <Textarea
        label={t('faq_answer')}
        autosize
        minRows={3}
        maxLength={KNOWLEDGE_LIMITS.answerChars}
        {...form.field('answer')}
      />
    </Form>
  )
}
