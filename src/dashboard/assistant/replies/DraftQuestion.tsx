import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { ReplyDetail } from '../../../contract/dashboard/assistant-reply.ts'
import { KNOWLEDGE_LIMITS } from '../../../core/limits/knowledge.ts'
import { useApi } from '../../app/resources.ts'
import { FormFoot, useApiForm } from '../../parts/form.tsx'
import { useWords } from '../../words/use-words.tsx'
import styles from './replies.module.css'
import { repliesWords } from './words.ts'

/** A member's note on a bad reply as a draft of a Q&A, which an Owner or Admin reviews and adds to the knowledge. */
export function DraftQuestion({ reply }: { reply: ReplyDetail }) {
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
    <form onSubmit={form.submit} noValidate className={styles.note}>
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
      <FormFoot form={form} act={t('add_question')} />
    </form>
  )
}
