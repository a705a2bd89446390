import { Button } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { changeSearch } from '../app/search-params.ts'
import { useGo } from '../app/pages.ts'
import type { LeadView } from '../../contract/dashboard/lead.ts'
import type { LeadMove } from '../../rules/leads/move-lead.ts'
import { LEAD_STATUSES, LEAD_TEMPERATURES } from '../../vocabulary/leads.ts'
import { useApi } from '../app/resources.ts'
import { useLiveQuery } from '../app/live.tsx'
import { peopleQuery } from '../inbox/inbox-queries.ts'
import { FilterMenu } from '../parts/FilterMenu.tsx'
import { Icon } from '../parts/Icon.tsx'
import { FilterChip, ListTable, SearchBox, Toolbar, type Column } from '../parts/List.tsx'
import { Empty, PageHeader } from '../parts/Page.tsx'
import { TabBar, TabLink } from '../parts/Tabs.tsx'
import { Time } from '../parts/Time.tsx'
import { useWords } from '../words/use-words.tsx'
import { Board } from './Board.tsx'
import { LeadDrawer } from './LeadDrawer.tsx'
import { leadsQuery } from './leads-queries.ts'
import { NewLead } from './NewLead.tsx'
import { LeadName, LeadPill, Score, Temperature } from './marks.tsx'
import { MoveMenu } from './MoveMenu.tsx'
import type { LeadSearch } from './search.ts'
import { useMoveLead } from './use-move-lead.tsx'
import { leadsWords } from './words.ts'

export function Leads() {
  const t = useWords(leadsWords)
  const api = useApi()
  const company = api.companyId
  const search = useSearch({ from: '/p/$company/leads' })
  const go = useGo()
  const change = (next: LeadSearch) => void go('leads', {}, next)
  const [isMaking, setMaking] = useState(false)
  const { move, dialog } = useMoveLead()
  useLiveQuery('lead', api.key('leads'))
  const { view: _view, ...rest } = search
  const make = (
    <Button variant="filled" leftSection={<Icon name="plus" />} onClick={() => setMaking(true)}>
      {t('make')}
    </Button>
  )
  const open = (lead: LeadView) => change({ ...search, lead: lead.id })
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} acts={make} />
      <TabBar label={t('views')}>
        <TabLink
          to="/p/$company/leads"
          params={{ company }}
          search={rest}
          isOn={search.view === undefined}
        >
          {t('board')}
        </TabLink>
        <TabLink
          to="/p/$company/leads"
          params={{ company }}
          search={{ ...search, view: 'table' }}
          isOn={search.view === 'table'}
        >
          {t('table')}
        </TabLink>
      </TabBar>
      <Filters search={search} onChange={change} />
      {search.view === 'table' ? (
        <Table search={search} onChange={change} onOpen={open} onMove={move} make={make} />
      ) : (
        <Board search={search} onOpen={open} onMove={move} />
      )}
      {search.lead !== undefined && (
        <LeadDrawer
          leadId={search.lead}
          onMove={move}
          onClose={() => change(changeSearch(search, { lead: undefined }))}
        />
      )}
      {isMaking && <NewLead onMade={(lead) => open(lead)} onClose={() => setMaking(false)} />}
      {dialog}
    </>
  )
}

function Filters({ search, onChange }: { search: LeadSearch; onChange(search: LeadSearch): void }) {
  const t = useWords(leadsWords)
  const { data: people } = useQuery(peopleQuery(useApi()))
  const owners = (people?.items ?? []).map(({ id, name }) => ({ value: id, label: name ?? id }))
  return (
    <Toolbar chosen={[search.status, search.temperature, search.owner, search.sort]}>
      <SearchBox
        label={t('search')}
        value={search.q ?? ''}
        onSearch={(q) => onChange(changeSearch(search, { q }))}
      />
      {search.view === 'table' && (
        <FilterMenu
          name={t('status')}
          value={search.status}
          options={LEAD_STATUSES.map((value) => ({ value, label: t(value) }))}
          onChange={(value) => {
            const status = LEAD_STATUSES.find((one) => one === value)
            onChange(changeSearch(search, { status }))
          }}
        />
      )}
      <FilterMenu
        name={t('temperature')}
        value={search.temperature}
        options={LEAD_TEMPERATURES.map((value) => ({ value, label: t(value) }))}
        onChange={(value) => {
          const temperature = LEAD_TEMPERATURES.find((one) => one === value)
          onChange(changeSearch(search, { temperature }))
        }}
      />
      <FilterMenu
        name={t('owner')}
        value={search.owner}
        options={[{ value: 'none', label: t('nobody') }, ...owners]}
        onChange={(owner) => onChange(changeSearch(search, { owner }))}
      />
      <FilterChip
        label={t('sort')}
        isOn={search.sort === 'best'}
        onClick={() =>
          onChange(changeSearch(search, { sort: search.sort === 'best' ? undefined : 'best' }))
        }
      />
    </Toolbar>
  )
}

function Table({
  search,
  onChange,
  onOpen,
  onMove,
  make,
}: {
  search: LeadSearch
  onChange(search: LeadSearch): void
  onOpen(lead: LeadView): void
  onMove(lead: LeadView, move: LeadMove): void
  make: React.ReactNode
}) {
  const t = useWords(leadsWords)
  const list = useInfiniteQuery(leadsQuery(useApi(), search, search.status))
  const columns: Column<LeadView>[] = [
    { key: 'customer', head: t('customer'), cell: (lead) => <LeadName lead={lead} /> },
    { key: 'status', head: t('status'), cell: ({ status }) => <LeadPill status={status} /> },
    {
      key: 'temperature',
      head: t('temperature'),
      cell: ({ temperature }) => <Temperature value={temperature} />,
    },
    { key: 'score', phone: 'gone', head: t('score'), cell: ({ score }) => <Score score={score} /> },
    { key: 'owner', head: t('owner'), cell: ({ owner }) => owner && <bdi>{owner.name}</bdi> },
    {
      key: 'added',
      phone: 'gone',
      head: t('added'),
      isFigure: true,
      cell: ({ createdAt }) => <Time at={createdAt} as="near" />,
    },
    {
      key: 'move',
      phone: 'menu',
      head: <span className="visually-hidden">{t('move_menu')}</span>,
      isFigure: true,
      cell: (lead) => (
        // What is chosen from the menu does not open the row.
        <span onClick={(event) => event.stopPropagation()} role="presentation">
          <MoveMenu lead={lead} onMove={onMove} />
        </span>
      ),
    },
  ]
  const { view, lead: _open, ...filters } = search
  return (
    <ListTable
      label={t('title')}
      list={list}
      items={list.data?.items ?? []}
      columns={columns}
      onOpen={onOpen}
      isFiltered={Object.keys(filters).length > 0}
      onClearFilters={() => onChange(view ? { view } : {})}
      empty={
        <Empty title={t('none')} act={make}>
          {t('none_why')}
        </Empty>
      }
    />
  )
}
