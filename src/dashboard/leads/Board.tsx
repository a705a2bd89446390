import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { LeadView } from '../../contract/dashboard/lead.ts'
import type { LeadMove } from '../../rules/leads/move-lead.ts'
import { LEAD_STATUSES, type LeadStatus } from '../../core/vocabulary/leads.ts'
import { useApi } from '../app/resources.ts'
import { ReadState } from '../parts/Page.tsx'
import { Time } from '../parts/Time.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { useFormat } from '../words/format.ts'
import { ShowMore } from '../parts/ListTable.tsx'
import { useWords } from '../words/use-words.tsx'
import { leadsQuery } from './leads-queries.ts'
import layout from '../parts/layout.module.css'
import styles from './leads.module.css'
import { LeadName, Score, Temperature } from './marks.tsx'
import { MoveMenu } from './MoveMenu.tsx'
import type { LeadSearch } from './search.ts'
import { moveTo } from './use-move-lead.tsx'
import { leadsWords } from './words.ts'

type Acts = {
  onOpen(lead: LeadView): void
  onMove(lead: LeadView, move: LeadMove): void
}

/**
 * A board with one column of leads for each status. A card is dragged to another column, or moved by its menu.
 */
export function Board({ search, ...acts }: { search: LeadSearch } & Acts) {
  const t = useWords(leadsWords)
  const [dragged, setDragged] = useState<LeadView | null>(null)
  return (
    <>
      <p className={layout.lead}>{t('board_help')}</p>
      <div className={styles.board}>
        {LEAD_STATUSES.map((status) => (
          <Column
            key={status}
            status={status}
            search={search}
            dragged={dragged}
            onDrag={setDragged}
            {...acts}
          />
        ))}
      </div>
    </>
  )
}

function Column({
  status,
  search,
  dragged,
  onDrag,
  onOpen,
  onMove,
}: {
  status: LeadStatus
  search: LeadSearch
  dragged: LeadView | null
  onDrag(lead: LeadView | null): void
} & Acts) {
  const t = useWords(leadsWords)
  const api = useApi()
  const list = useInfiniteQuery(leadsQuery(api, search, status))
  const items = list.data?.items ?? []
  const isFiltered = [search.q, search.temperature, search.owner].some((one) => one !== undefined)
  const move = dragged && moveTo(dragged.status, status)
  const drop = () => {
    if (dragged && move) onMove(dragged, move)
    else if (dragged && dragged.status !== status) toastSuccess(t('may_not'))
    onDrag(null)
  }
  return (
    <section
      className={styles.column}
      aria-label={t(status)}
      data-takes={move !== null}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        drop()
      }}
    >
      <h2 className={styles.columnHead}>
        {t(status)} {!isFiltered && <Count status={status} />}
      </h2>
      <ReadState of={list} rows={3} />
      {list.data !== undefined && items.length === 0 && (
        <p className={layout.lead}>{t('none_here')}</p>
      )}
      <ul className={layout.cards}>
        {items.map((lead) => (
          <Card
            key={lead.id}
            lead={lead}
            isMoving={dragged?.id === lead.id}
            onDrag={onDrag}
            onOpen={onOpen}
            onMove={onMove}
          />
        ))}
      </ul>
      <ShowMore list={list} size="xs" />
    </section>
  )
}

/**
 * The number of the company's leads with a status, counted up to a limit. The number is shown while no filter is
 * active.
 */
function Count({ status }: { status: LeadStatus }) {
  const t = useWords(leadsWords)
  const format = useFormat()
  const api = useApi()
  const { data } = useQuery(api.get('leads/counts'))
  if (data === undefined) return null
  const n = data[status]
  return <span>{n >= data.max ? t('at_least', { n: data.max }) : format.number(n)}</span>
}

function Card({
  lead,
  isMoving,
  onDrag,
  onOpen,
  onMove,
}: {
  lead: LeadView
  isMoving: boolean
  onDrag(lead: LeadView | null): void
} & Acts) {
  const { temperature, score, summary, owner, createdAt } = lead
  return (
    <li
      className={styles.card}
      draggable
      data-moving={isMoving}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', lead.id)
        onDrag(lead)
      }}
      onDragEnd={() => onDrag(null)}
    >
      <div className={styles.cardHead}>
        <button type="button" className={styles.cardName} onClick={() => onOpen(lead)}>
          <LeadName lead={lead} />
        </button>
        <MoveMenu lead={lead} onMove={onMove} />
      </div>
      {summary !== null && (
        <span className={styles.summary}>
          <bdi>{summary}</bdi>
        </span>
      )}
      <div className={styles.marks}>
        <Temperature value={temperature} />
        <Score score={score} />
        {owner !== null && <bdi>{owner.name}</bdi>}
        <Time at={createdAt} as="near" />
      </div>
    </li>
  )
}
