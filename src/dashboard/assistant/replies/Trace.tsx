import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageLink, PageButton } from '../../parts/PageLink.tsx'
import type { ReplyDetail } from '../../../contract/dashboard/assistant-reply.ts'
import { REPLY_OF_ASSISTANT } from '../../../core/limits/replies.ts'
import { useApi } from '../../app/resources.ts'
import { useLiveQuery } from '../../app/live.tsx'
import { useMay } from '../../app/session.ts'
import { IdChip } from '../../parts/Code.tsx'
import { Crumbs } from '../../parts/Crumbs.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Banner, Details, PageHeader, Panel } from '../../parts/Page.tsx'
import { PersonLink, PersonName } from '../../parts/PersonLink.tsx'
import { Time } from '../../parts/Time.tsx'
import { useChannelName } from '../../parts/use-channel-name.ts'
import { useVisitorName } from '../../parts/visitor-name.ts'
import { useFormat } from '../../words/format.ts'
import { Rich, useWords } from '../../words/use-words.tsx'
import { Feedback } from './Feedback.tsx'
import { LongText } from './LongText.tsx'
import styles from './replies.module.css'
import { ReplyPill } from './ReplyPill.tsx'
import { TraceSteps } from './TraceSteps.tsx'
import { useDetailName } from './use-detail-name.ts'
import { repliesWords } from './words.ts'

/** The page that explains why the assistant replied as it did, or not at all. */
export function Trace() {
  const t = useWords(repliesWords)
  const nameOf = useVisitorName()
  const format = useFormat()
  const api = useApi()
  const { setUp } = useMay()
  const { reply: replyId } = useParams({ from: '/p/$company/assistant/replies/$reply' })
  const query = api.get('assistant/replies/:replyId', { replyId })
  const { data: reply } = useSuspenseQuery(query)
  useLiveQuery('reply', query.queryKey, { isOf: ({ id }) => id === replyId })
  const { contact, visitorName, startedAt, heard } = reply
  const isSaid = reply.said.length > 0
  const name = contact ? (
    <PersonName contact={contact} />
  ) : (
    (visitorName ?? nameOf(reply.conversationId))
  )
  return (
    <>
      <Crumbs
        items={[
          <PageLink key="replies" to="assistant/replies">
            {t('title')}
          </PageLink>,
          <Rich
            key="one"
            words={repliesWords}
            say="name_time"
            with={{ name, time: format.time(startedAt) }}
          />,
        ]}
      />
      <PageHeader
        title={t(isSaid || reply.endedAt === null ? 'why_said' : 'why_not_said')}
        lead={<ReplyFacts reply={reply} />}
        acts={
          <>
            <PageButton
              to="inbox/$conversation"
              params={{ conversation: reply.conversationId }}
              leftSection={<Icon name="inbox" />}
            >
              {t('open_conversation')}
            </PageButton>
            {setUp && heard.some(({ text, transcript }) => text ?? transcript) && (
              <PageButton
                to="assistant/try"
                search={{ heard: replyId }}
                leftSection={<Icon name="test" />}
              >
                {t('try_it')}
              </PageButton>
            )}
          </>
        }
      />
      {!reply.isKept && reply.keptUntil !== null && (
        <Banner tone="off" title={t('not_kept', { date: format.dateWithYear(reply.keptUntil) })}>
          {t('not_kept_why')}
        </Banner>
      )}
      <div className={styles.columns}>
        <TraceSteps reply={reply} />
        <div className={styles.side}>
          <InShort reply={reply} />
          <Instructions reply={reply} />
          <Feedback reply={reply} />
        </div>
      </div>
    </>
  )
}

/** The customer, the channel and the time of a reply, and the time until which its steps are kept. */
function ReplyFacts({ reply }: { reply: ReplyDetail }) {
  const t = useWords(repliesWords)
  const nameOf = useVisitorName()
  const format = useFormat()
  const channelName = useChannelName()
  const { contact, visitorName, startedAt, isKept, keptUntil } = reply
  const who = contact ? (
    <PersonLink contact={contact} withFace={false} />
  ) : (
    (visitorName ?? nameOf(reply.conversationId))
  )
  const channel = channelName(reply.channelType)
  return (
    <>
      <Rich
        words={repliesWords}
        say="to_whom"
        with={{ who, channel, when: <Time at={startedAt} /> }}
      />{' '}
      {isKept && keptUntil !== null && t('kept_until', { date: format.date(keptUntil) })}
    </>
  )
}

function InShort({ reply }: { reply: ReplyDetail }) {
  const t = useWords(repliesWords)
  const format = useFormat()
  const detailName = useDetailName()
  const { state, why, detail, endedAt, thinkingAt, restarts } = reply
  const items: [ReactNode, ReactNode][] = [[t('outcome'), <ReplyPill key="state" state={state} />]]
  if (state !== 'sent') items.push([t('why'), why?.text ?? t('goes_on')])
  if (detail !== null) items.push([t('rule'), detailName(detail)])
  if (thinkingAt !== null && endedAt !== null) {
    const took = format.took(Date.parse(endedAt) - Date.parse(thinkingAt))
    const limit = t('limit', { limit: format.took(REPLY_OF_ASSISTANT.allMs) })
    items.push([
      t('took'),
      <span key="took">
        {took} <span className={styles.figure}>{limit}</span>
      </span>,
    ])
  }
  if (restarts > 0) items.push([t('restarts'), format.number(restarts)])
  items.push(
    [t('requests'), format.number(reply.modelRequests)],
    [t('tokens'), format.number(reply.tokensIn + reply.tokensOut)],
    [t('reply_id'), <IdChip key="id" id={reply.id} />],
  )
  return (
    <Panel title={t('in_short')}>
      <Details items={items} />
    </Panel>
  )
}

const PARTS = ['part_house', 'part_business', 'part_guidance', 'part_tools'] as const

/** The parts of the instructions, each collapsed; the last part is the one that differs between replies. */
function Instructions({ reply: { parts, steps } }: { reply: ReplyDetail }) {
  const t = useWords(repliesWords)
  const last = steps.findLast((step) => step.prompt !== null)?.prompt
  if (!last) return null
  const texts = last.parts.map((id, at) => ({
    name: t(PARTS[at] ?? 'part_more'),
    text: parts.find((part) => part.id === id)?.text ?? t('part_gone'),
  }))
  if (last.changing !== null) texts.push({ name: t('part_now'), text: last.changing })
  return (
    <Panel title={t('was_told')}>
      <div className={styles.told}>
        {texts.map(({ name, text }, at) => (
          <LongText
            key={at}
            label={name}
            text={text}
            end={t('n_characters', { n: [...text].length })}
          />
        ))}
      </div>
    </Panel>
  )
}
