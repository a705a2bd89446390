import { useInfiniteQuery } from '@tanstack/react-query'
import { PageLink } from '../../parts/PageLink.tsx'
import { useGo } from '../../app/pages.ts'
import type { ReplyView } from '../../../contract/dashboard/assistant-reply.ts'
import { REPLY_OUTCOMES } from '../../../core/vocabulary/assistant-setup.ts'
import { useApi } from '../../app/resources.ts'
import { useLiveQuery } from '../../app/live.tsx'
import { FilterChip } from '../../parts/List.tsx'
import { type Column } from '../../parts/ListTable.tsx'
import { Empty } from '../../parts/Page.tsx'
import { PersonName } from '../../parts/PersonLink.tsx'
import { Time } from '../../parts/Time.tsx'
import { useVisitorName } from '../../parts/visitor-name.ts'
import { useFormat } from '../../words/format.ts'
import { useWords } from '../../words/use-words.tsx'
import { AssistantHead } from '../AssistantHead.tsx'
import styles from './replies.module.css'
import { ReplyPill } from './ReplyPill.tsx'
import { ListPage } from '../../parts/ListPage.tsx'
import { useFilters } from '../../app/use-filters.ts'
import { FilterSelect } from '../../parts/FilterMenu.tsx'
import { repliesWords } from './words.ts'

/** The assistant's replies, and the cases in which it did not reply, newest first. */
export function Replies() {
  const t = useWords(repliesWords)
  const api = useApi()
  const go = useGo()
  const filters = useFilters('assistant/replies')
  const query = api.list('assistant/replies', filters.search)
  const list = useInfiniteQuery(query)
  useLiveQuery('reply', query.queryKey)
  return (
    <ListPage
      title={t('title')}
      head={<AssistantHead tab="replies" lead={t('lead')} />}
      filters={filters}
      find={
        <>
          <FilterSelect
            label={t('outcome')}
            w={200}
            options={REPLY_OUTCOMES.map((value) => ({ value, label: t(`state_${value}`) }))}
            {...filters.of('outcome')}
          />
          {(['good', 'bad'] as const).map((value) => (
            <FilterChip
              key={value}
              label={t(`feedback_${value}`)}
              {...filters.chip('feedback', value)}
            />
          ))}
        </>
      }
      list={list}
      columns={useColumns()}
      onOpen={({ id }) => void go('assistant/replies/$reply', { reply: id })}
      empty={<Empty title={t('none')}>{t('none_why')}</Empty>}
    />
  )
}

function useColumns(): Column<ReplyView>[] {
  const nameOf = useVisitorName()
  const t = useWords(repliesWords)
  const format = useFormat()
  return [
    { head: t('outcome'), cell: ({ state }) => <ReplyPill state={state} /> },
    {
      head: t('customer'),
      cell: ({ id, contact, visitorName, conversationId }) => (
        <PageLink to="assistant/replies/$reply" params={{ reply: id }}>
          {contact ? (
            <PersonName contact={contact} />
          ) : (
            <bdi>{visitorName ?? nameOf(conversationId)}</bdi>
          )}
        </PageLink>
      ),
    },
    {
      phone: 'line',
      head: t('question'),
      cell: ({ question }) => (
        <span className={styles.question} dir="auto">
          {question ?? t('no_words')}
        </span>
      ),
    },
    { phone: 'gone', head: t('why'), cell: ({ why }) => why?.text ?? '' },
    {
      phone: 'hidden',
      head: t('feedback'),
      cell: ({ good, bad }) => (
        <span className={styles.votes}>
          {good > 0 && <span>{t('n_good', { n: good })}</span>}
          {bad > 0 && <span>{t('n_bad', { n: bad })}</span>}
        </span>
      ),
    },
    {
      phone: 'hidden',
      head: t('tokens'),
      isFigure: true,
      cell: ({ tokensIn, tokensOut }) => format.number(tokensIn + tokensOut),
    },
    {
      phone: 'end',
      head: t('at'),
      isFigure: true,
      cell: ({ startedAt }) => <Time at={startedAt} />,
    },
  ]
}
