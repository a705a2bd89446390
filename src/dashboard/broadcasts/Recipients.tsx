import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { BroadcastView, RecipientView } from '../../contract/dashboard/broadcast.ts'
import { RECIPIENT_OUTCOMES } from '../../core/vocabulary/broadcasts.ts'
import { useApi } from '../app/resources.ts'
import { useCompanyId } from '../app/company.ts'
import { ConversationLink } from '../parts/ConversationLink.tsx'
import { ListTable, type Column } from '../parts/ListTable.tsx'
import { Panel } from '../parts/Page.tsx'
import { PersonLink } from '../parts/PersonLink.tsx'
import { Phone } from '../parts/Phone.tsx'
import { TabBar, TabLink } from '../parts/Tabs.tsx'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import { OutcomePill, outcomeWord } from './BroadcastPill.tsx'
import layout from '../parts/layout.module.css'
import { broadcastsWords } from './words.ts'

type Row = RecipientView & { id: string }

/** The list of a broadcast's recipients with their outcomes, filtered by outcome. */
export function Recipients({ broadcast }: { broadcast: BroadcastView }) {
  const t = useWords(broadcastsWords)
  const format = useFormat()
  const api = useApi()
  const companyId = useCompanyId()
  const navigate = useNavigate()
  const { outcome } = useSearch({ from: '/p/$company/broadcasts/$broadcast' })
  const { id, counts, total } = broadcast
  const params = { company: companyId, broadcast: id }
  const list = useInfiniteQuery(
    api.list('broadcasts/:broadcastId/recipients', { broadcastId: id, state: outcome }),
  )
  const items = (list.data?.items ?? []).map((recipient, at) => ({
    ...recipient,
    id: recipient.contactId ?? String(at),
  }))
  const to = '/p/$company/broadcasts/$broadcast'
  return (
    <Panel title={t('recipients')}>
      <TabBar label={t('outcomes')}>
        <TabLink
          to={to}
          params={params}
          search={{}}
          isOn={outcome === undefined}
          count={format.number(total)}
        >
          {t('all')}
        </TabLink>
        {RECIPIENT_OUTCOMES.filter((one) => one === outcome || (counts[one] ?? 0) > 0).map(
          (one) => (
            <TabLink
              key={one}
              to={to}
              params={params}
              search={{ outcome: one }}
              isOn={outcome === one}
              count={format.number(counts[one] ?? 0)}
            >
              {t(outcomeWord(one))}
            </TabLink>
          ),
        )}
      </TabBar>
      <ListTable
        label={t('recipients')}
        list={list}
        items={items}
        columns={useColumns()}
        isFiltered={outcome !== undefined}
        onClearFilters={() => void navigate({ to, params, search: {} })}
        empty={<p className={layout.quiet}>{t('no_recipients')}</p>}
      />
    </Panel>
  )
}

function useColumns(): Column<Row>[] {
  const t = useWords(broadcastsWords)
  return [
    {
      head: t('name'),
      cell: ({ contactId, name, phone }) =>
        contactId === null ? (
          t('merged_away')
        ) : (
          <PersonLink contact={{ id: contactId, name, phone }} withFace={false} />
        ),
    },
    { phone: 'gone', head: t('phone'), cell: ({ phone }) => phone && <Phone phone={phone} /> },
    { phone: 'end', head: t('outcome'), cell: ({ state }) => <OutcomePill outcome={state} /> },
    {
      phone: 'line',
      head: t('why'),
      cell: ({ detail, skipReason, errorCode }) =>
        detail?.text ?? (skipReason === null ? errorCode : t(`skip_${skipReason}`)),
    },
    {
      head: t('conversation'),
      cell: ({ conversationId }) =>
        conversationId !== null && (
          <ConversationLink id={conversationId}>{t('to_conversation')}</ConversationLink>
        ),
    },
  ]
}
