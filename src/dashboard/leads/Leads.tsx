import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { changeSearch } from '../app/search-params.ts'
import type { LeadView } from '../../contract/dashboard/lead.ts'
import type { LeadMove } from '../../rules/leads/move-lead.ts'
import { LEAD_STATUSES, LEAD_TEMPERATURES } from '../../core/vocabulary/leads.ts'
import { useApi } from '../app/resources.ts'
import { useLiveQuery } from '../app/live.tsx'
import { peopleQuery } from '../inbox/inbox-queries.ts'
import { FilterMenu } from '../parts/FilterMenu.tsx'
import { FilterChip } from '../parts/List.tsx'
import type { Column } from '../parts/ListTable.tsx'
import { Empty } from '../parts/Page.tsx'
import { TabBar, TabLink } from '../parts/Tabs.tsx'
import { Time } from '../parts/Time.tsx'
import { useWords } from '../words/use-words.tsx'
import { Board } from './Board.tsx'
import { LeadDrawer } from './LeadDrawer.tsx'
import { leadsQuery } from './leads-queries.ts'
import { LeadName, LeadPill, Score, Temperature } from './marks.tsx'
import { MoveMenu } from './MoveMenu.tsx'
import type { LeadSearch } from './search.ts'
import { useMoveLead } from './use-move-lead.tsx'
import { ListPage } from '../parts/ListPage.tsx'
import { AddButton } from '../parts/AddButton.tsx'
import { useFilters, type Filters } from '../app/use-filters.ts'
import { leadsWords } from './words.ts'
import { FormDialog } from '../parts/FormDialog.tsx'
import { ContactPicker } from '../parts/ContactPicker.tsx'
import { useApiForm, type ApiForm } from '../parts/form.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { LeadFields, readValues, valuesOf, type LeadValues } from './LeadFields.tsx'

/** The page of the leads, as a board by status or as a table. */
export function Leads() {
  const t = useWords(leadsWords)
  const api = useApi()
  const filters = useFilters('leads', { text: 'q', open: 'lead', kept: ['view'] })
  const { view, status, lead } = filters.search
  const list = useInfiniteQuery({
    ...leadsQuery(api, filters.search, status),
    enabled: view === 'table',
  })
  const [isMaking, setMaking] = useState(false)
  const { move, dialog } = useMoveLead()
  useLiveQuery('lead', api.key('leads'))
  const make = <AddButton onClick={() => setMaking(true)}>{t('make')}</AddButton>
  const open = ({ id }: LeadView) => filters.open(id)
  return (
    <ListPage
      title={t('title')}
      lead={t('lead')}
      acts={make}
      above={
        <TabBar label={t('views')}>
          {([undefined, 'table'] as const).map((one) => (
            <TabLink
              key={one ?? 'board'}
              to="/p/$company/leads"
              params={{ company: api.companyId }}
              search={changeSearch(filters.search, { view: one })}
              isOn={view === one}
            >
              {t(one ?? 'board')}
            </TabLink>
          ))}
        </TabBar>
      }
      filters={filters}
      search={t('search')}
      find={<Choices filters={filters} />}
      body={(rows) =>
        view === 'table' ? rows : <Board search={filters.search} onOpen={open} onMove={move} />
      }
      list={list}
      columns={useColumns(move)}
      onOpen={open}
      empty={
        <Empty title={t('none')} act={make}>
          {t('none_why')}
        </Empty>
      }
    >
      {lead !== undefined && (
        <LeadDrawer leadId={lead} onMove={move} onClose={() => filters.open(null)} />
      )}
      {isMaking && <NewLead onMade={open} onClose={() => setMaking(false)} />}
      {dialog}
    </ListPage>
  )
}

function Choices({ filters }: { filters: Filters<LeadSearch> }) {
  const t = useWords(leadsWords)
  const { data: people } = useQuery(peopleQuery(useApi()))
  const owners = (people ?? []).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <>
      {filters.search.view === 'table' && (
        <FilterMenu
          label={t('status')}
          options={LEAD_STATUSES.map((value) => ({ value, label: t(value) }))}
          {...filters.of('status')}
        />
      )}
      <FilterMenu
        label={t('temperature')}
        options={LEAD_TEMPERATURES.map((value) => ({ value, label: t(value) }))}
        {...filters.of('temperature')}
      />
      <FilterMenu
        label={t('owner')}
        options={[{ value: 'none', label: t('nobody') }, ...owners]}
        {...filters.of('owner')}
      />
      <FilterChip label={t('sort')} {...filters.chip('sort', 'best')} />
    </>
  )
}

function useColumns(onMove: (lead: LeadView, move: LeadMove) => void): Column<LeadView>[] {
  const t = useWords(leadsWords)
  return [
    { head: t('customer'), cell: (lead) => <LeadName lead={lead} /> },
    { head: t('status'), cell: ({ status }) => <LeadPill status={status} /> },
    { head: t('temperature'), cell: ({ temperature }) => <Temperature value={temperature} /> },
    { phone: 'gone', head: t('score'), cell: ({ score }) => <Score score={score} /> },
    { head: t('owner'), cell: ({ owner }) => owner && <bdi>{owner.name}</bdi> },
    {
      phone: 'gone',
      head: t('added'),
      isFigure: true,
      cell: ({ createdAt }) => <Time at={createdAt} as="near" />,
    },
    {
      isActs: true,
      phone: 'menu',
      head: t('move_menu'),
      isFigure: true,
      cell: (lead) => <MoveMenu lead={lead} onMove={onMove} />,
    },
  ]
}

type Values = LeadValues & { contactId: string }

/** A form that creates a lead for a contact. A contact with an open lead keeps that one. */
function NewLead({ onMade, onClose }: { onMade(lead: LeadView): void; onClose(): void }) {
  const t = useWords(leadsWords)
  const api = useApi()
  const form = useApiForm<Values>({
    values: { ...valuesOf(null), contactId: '' },
    onSubmit: async ({ contactId, ...values }) => {
      const { body: lead, isNew } = await api.make('leads', {
        ...(contactId && { contactId }),
        ...readValues(values),
      })
      toastSuccess(t(isNew ? 'made' : 'was_there'))
      onClose()
      onMade(lead)
    },
  })
  return (
    <FormDialog form={form} title={t('make')} act={t('make')} onClose={onClose}>
      <ContactPicker
        label={t('of_whom')}
        error={form.errorOf('contactId')}
        onPick={(contact) => form.setValue('contactId', contact?.id ?? '')}
      />
      <LeadFields form={form as unknown as ApiForm<LeadValues>} />
    </FormDialog>
  )
}
