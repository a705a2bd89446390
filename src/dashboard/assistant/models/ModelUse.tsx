import { useQuery } from '@tanstack/react-query'
import type { ModelUsage } from '../../../contract/dashboard/model.ts'
import { ListTable, type Column } from '../../parts/ListTable.tsx'
import { Panel } from '../../parts/Page.tsx'
import { useNarrowRows } from '../../parts/use-is-phone-width.ts'
import { useFormat } from '../../words/format.ts'
import { useWords } from '../../words/use-words.tsx'
import layout from '../../parts/layout.module.css'
import { modelUsageQuery } from './queries.ts'
import { modelsWords } from './words.ts'

type Row = ModelUsage['days'][number] & { id: string }

/** A table of the requests to language models and their tokens, by day and purpose. */
export function ModelUse() {
  const t = useWords(modelsWords)
  const format = useFormat()
  const isNarrow = useNarrowRows()
  // A narrow table has no headings, so each figure needs its name.
  const figure = (head: string, n: number) =>
    isNarrow ? (
      <>
        {head} <bdi>{format.number(n)}</bdi>
      </>
    ) : (
      format.number(n)
    )
  const list = useQuery(modelUsageQuery)
  const items = (list.data?.days ?? []).map((day) => ({ ...day, id: `${day.day} ${day.purpose}` }))
  const columns: Column<Row>[] = [
    { head: t('day'), cell: ({ day }) => format.utcDay(day) },
    { head: t('purpose'), cell: ({ purpose }) => t(purpose) },
    {
      head: t('requests'),
      isFigure: true,
      cell: ({ requests, estimated }) => (
        <>
          {figure(t('requests'), requests)}
          {estimated > 0 && <div className={layout.help}>{t('estimated', { n: estimated })}</div>}
        </>
      ),
    },
    {
      head: t('tokens_in'),
      isFigure: true,
      cell: ({ tokensIn }) => figure(t('tokens_in'), tokensIn),
    },
    {
      head: t('tokens_out'),
      isFigure: true,
      cell: ({ tokensOut }) => figure(t('tokens_out'), tokensOut),
    },
  ]
  return (
    <Panel title={t('usage')}>
      <ListTable
        label={t('usage')}
        list={list}
        items={items}
        columns={columns}
        empty={<p className={layout.help}>{t('usage_none')}</p>}
      />
    </Panel>
  )
}
