import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReplyDetail } from '../../../contract/dashboard/assistant-reply.ts'
import { SECOND_MS } from '../../../limits/units.ts'
import { useCompanyId } from '../../app/company.ts'
import { useLiveQuery } from '../../app/live.tsx'
import { IdChip } from '../../parts/Code.tsx'
import { Crumbs } from '../../parts/Crumbs.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { Banner, Details, PageHeader, Panel } from '../../parts/Page.tsx'
import { PersonLink } from '../../parts/PersonLink.tsx'
import { Time } from '../../parts/Time.tsx'
import { useFormat } from '../../words/format.ts'
import { useWords } from '../../words/use-words.tsx'
import { AssistantTabs } from '../AssistantHead.tsx'
import { Feedback } from './Feedback.tsx'
import { traceQuery } from './queries.ts'
import styles from './replies.module.css'
import { ReplyPill } from './ReplyPill.tsx'
import { TraceSteps } from './TraceSteps.tsx'
import { useDetailName } from './use-detail-name.ts'
import { repliesWords } from './words.ts'

/** Why the assistant said this, or nothing. */
export function Trace() {
  const t = useWords(repliesWords)
  const format = useFormat()
  const company = useCompanyId()
  const { reply: replyId } = useParams({ from: '/p/$company/assistant/replies/$reply' })
  const query = traceQuery(company, replyId)
  const { data: reply } = useSuspenseQuery(query)
  useLiveQuery('reply', query.queryKey, { isOf: ({ id }) => id === replyId })
  const isSaid = reply.said.length > 0
  return (
    <>
      <Crumbs items={[t('title'), format.dateTime(reply.startedAt)]} />
      <PageHeader
        title={t(isSaid || reply.endedAt === null ? 'why_said' : 'why_not_said')}
        pill={<ReplyPill state={reply.state} />}
        lead={reply.why?.text ?? t('goes_on')}
        acts={
          <LinkButton
            to="/p/$company/inbox/$conversation"
            params={{ company, conversation: reply.conversationId }}
          >
            {t('open_conversation')}
          </LinkButton>
        }
      />
      <AssistantTabs tab="replies" />
      {!reply.isKept && reply.keptUntil !== null && (
        <Banner tone="off" title={t('not_kept', { date: format.dateWithYear(reply.keptUntil) })}>
          {t('not_kept_why')}
        </Banner>
      )}
      <div className={styles.columns}>
        <TraceSteps reply={reply} />
        <div className={styles.side}>
          <InShort reply={reply} />
          <Told reply={reply} />
          <Feedback reply={reply} />
        </div>
      </div>
    </>
  )
}

function InShort({ reply }: { reply: ReplyDetail }) {
  const t = useWords(repliesWords)
  const format = useFormat()
  const detailName = useDetailName()
  const { startedAt, endedAt, thinkingAt } = reply
  const lasted = (from: string, to: string) => {
    const ms = Date.parse(to) - Date.parse(from)
    return ms < SECOND_MS ? format.milliseconds(ms) : format.duration(ms)
  }
  const items: [React.ReactNode, React.ReactNode][] = [
    [
      t('customer'),
      reply.contact ? (
        <PersonLink key="who" contact={reply.contact} withFace={false} />
      ) : (
        <bdi key="who">{reply.visitorName ?? t('visitor')}</bdi>
      ),
    ],
    [t('at'), <Time key="at" at={startedAt} />],
  ]
  if (reply.detail !== null) items.push([t('rule'), detailName(reply.detail)])
  if (thinkingAt !== null) items.push([t('gathered'), lasted(startedAt, thinkingAt)])
  if (thinkingAt !== null && endedAt !== null) {
    items.push([t('took'), lasted(thinkingAt, endedAt)])
  }
  if (reply.restarts > 0) items.push([t('restarts'), format.number(reply.restarts)])
  items.push(
    [t('requests'), format.number(reply.modelRequests)],
    [t('tokens_in'), format.number(reply.tokensIn)],
    [t('tokens_out'), format.number(reply.tokensOut)],
    [t('reply_id'), <IdChip key="id" id={reply.id} />],
  )
  return (
    <Panel title={t('in_short')}>
      <Details items={items} />
    </Panel>
  )
}

const PARTS = ['part_house', 'part_business', 'part_guidance', 'part_tools'] as const

/** The pieces of instructions, opened one by one; the last is what changes from reply to reply. */
function Told({ reply: { parts, steps } }: { reply: ReplyDetail }) {
  const t = useWords(repliesWords)
  const last = steps.findLast(({ told }) => told !== null)?.told
  if (!last) return null
  const texts = last.parts.map((id, at) => ({
    name: t(PARTS[at] ?? 'part_more'),
    text: parts.find((part) => part.id === id)?.text ?? t('part_gone'),
  }))
  if (last.changing !== null) texts.push({ name: t('part_now'), text: last.changing })
  return (
    <Panel title={t('was_told')}>
      {texts.map(({ name, text }, at) => (
        <details key={at} className={styles.part}>
          <summary>
            {name}{' '}
            <span className={styles.faint}>{t('n_characters', { n: [...text].length })}</span>
          </summary>
          <pre dir="auto" tabIndex={0} aria-label={name}>
            {text}
          </pre>
        </details>
      ))}
    </Panel>
  )
}
