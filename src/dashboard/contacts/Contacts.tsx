import { Button, Menu } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { changeSearch } from '../app/search-params.ts'
import { PageButton, PageLink } from '../parts/PageLink.tsx'
import { useGo } from '../app/pages.ts'
import type { ContactView } from '../../contract/dashboard/contact.ts'
import { useApi, type Api } from '../app/resources.ts'
import { useMay } from '../app/session.ts'
import { FilterMenu } from '../parts/FilterMenu.tsx'
import { Icon } from '../parts/Icon.tsx'
import { BulkAct, BulkBar, ListTable, SearchBox, Toolbar } from '../parts/List.tsx'
import { Empty, PageHeader } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { BulkTags } from './BulkTags.tsx'
import { ColumnsMenu, useShownColumns } from './columns.tsx'
import { ContactForm } from './ContactForm.tsx'
import { countQuery, tagsQuery } from './queries.ts'
import type { ContactSearch } from './search.ts'
import { SegmentTabs } from './SegmentTabs.tsx'
import { useExport } from './use-export.ts'
import { contactsWords } from './words.ts'

export function Contacts() {
  const t = useWords(contactsWords)
  const api = useApi()
  const { setUp } = useMay()
  const search = useSearch({ from: '/p/$company/contacts' })
  const go = useGo()
  const change = (next: ContactSearch) => void go('contacts', {}, next)
  const [isAdding, setAdding] = useState(false)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [tagging, setTagging] = useState<'add' | 'remove' | null>(null)
  const list = useContacts(api, search)
  const items = list.data?.items ?? []
  const shown = items.filter(({ id }) => selected.has(id))
  const { columns, hidden, toggle, all } = useShownColumns()
  const add = (
    <Button variant="filled" leftSection={<Icon name="plus" />} onClick={() => setAdding(true)}>
      {t('add')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={<HowMany />}
        acts={
          <>
            {setUp && <SetUpActs search={search} />}
            {add}
          </>
        }
      />
      <SegmentTabs search={search} />
      <Filters
        search={search}
        onChange={change}
        end={<ColumnsMenu columns={all} hidden={hidden} onToggle={toggle} />}
      />
      <ListTable
        label={t('title')}
        list={list}
        items={items}
        columns={columns}
        isFiltered={Object.keys(search).length > 0}
        onClearFilters={() => change({})}
        onOpen={({ id }) => void go('contacts/$contact', { contact: id })}
        selected={selected}
        onSelect={setSelected}
        nameOf={nameOf}
        empty={
          <Empty title={t('none')} act={add}>
            {t('none_why')}
          </Empty>
        }
      />
      <BulkBar count={shown.length} onClear={() => setSelected(new Set())}>
        <BulkAct onClick={() => setTagging('add')}>
          <Icon name="tag" />
          {t('add_tag')}
        </BulkAct>
        <BulkAct onClick={() => setTagging('remove')}>{t('remove_tag')}</BulkAct>
      </BulkBar>
      {tagging !== null && (
        <BulkTags
          act={tagging}
          contacts={shown}
          onClose={(isDone) => {
            setTagging(null)
            if (isDone) setSelected(new Set())
          }}
        />
      )}
      {isAdding && <ContactForm contact={null} onClose={() => setAdding(false)} />}
    </>
  )
}

const nameOf = ({ name, phone, email, id }: ContactView) => name ?? phone ?? email ?? id

function useContacts(api: Api, { q, tag, messages, segment }: ContactSearch) {
  return useInfiniteQuery(
    api.list('contacts', {
      q,
      tag,
      ...(messages && { optedOut: messages === 'stopped' ? 'true' : 'false' }),
      segmentId: segment,
    }),
  )
}

/** How many there are is counted for those who set up. */
function HowMany() {
  const t = useWords(contactsWords)
  const api = useApi()
  const { setUp } = useMay()
  const all = useQuery({ ...countQuery(api, {}), enabled: setUp }).data
  const stopped = useQuery({ ...countQuery(api, { optedOut: true }), enabled: setUp }).data
  if (all === undefined || stopped === undefined) return t('lead')
  return t('people_stopped', { n: all, stopped })
}

function Filters({
  search,
  onChange,
  end,
}: {
  search: ContactSearch
  onChange(search: ContactSearch): void
  end: React.ReactNode
}) {
  const t = useWords(contactsWords)
  const api = useApi()
  const { data: tags = [] } = useQuery(tagsQuery(api))
  return (
    <Toolbar end={end} chosen={[search.tag, search.messages]}>
      <SearchBox
        label={t('search')}
        value={search.q ?? ''}
        onSearch={(q) => onChange(changeSearch(search, { q }))}
      />
      <FilterMenu
        name={t('tag')}
        value={search.tag}
        options={tags.map((tag) => ({ value: tag, label: tag }))}
        onChange={(tag) => onChange(changeSearch(search, { tag }))}
      />
      <FilterMenu
        name={t('messages')}
        value={search.messages}
        options={[
          { value: 'accepted', label: t('accepts') },
          { value: 'stopped', label: t('stopped') },
        ]}
        onChange={(value) =>
          onChange(changeSearch(search, { messages: value as ContactSearch['messages'] }))
        }
      />
    </Toolbar>
  )
}

function SetUpActs({ search }: { search: ContactSearch }) {
  const t = useWords(contactsWords)
  const { isBusy, save } = useExport()
  return (
    <>
      <PageButton to="contacts/imports" leftSection={<Icon name="upload" />}>
        {t('import')}
      </PageButton>
      <Button leftSection={<Icon name="download" />} loading={isBusy} onClick={() => save(search)}>
        {t('export')}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button aria-label={t('more')}>
            <Icon name="more" />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item renderRoot={(props) => <PageLink to="contacts/settings" {...props} />}>
            {t('settings')}
          </Menu.Item>
          <Menu.Item renderRoot={(props) => <PageLink to="contacts/duplicates" {...props} />}>
            {t('duplicates')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
