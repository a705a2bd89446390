import { Button, Menu } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PageButton, PageLink } from '../parts/PageLink.tsx'
import { useGo } from '../app/pages.ts'
import type { ContactView, ListedContact } from '../../contract/dashboard/contact.ts'
import { useApi, type Api } from '../app/resources.ts'
import { useMay } from '../app/session.ts'
import { FilterMenu } from '../parts/FilterMenu.tsx'
import { Icon } from '../parts/Icon.tsx'
import { BulkAct, BulkBar } from '../parts/List.tsx'
import { Empty } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { BulkTags } from './BulkTags.tsx'
import { ColumnsMenu, useShownColumns } from './columns.tsx'
import { ContactForm } from './ContactForm.tsx'
import { countQuery, tagsQuery } from './queries.ts'
import type { ContactSearch } from './search.ts'
import { SegmentTabs } from './SegmentTabs.tsx'
import { ListPage } from '../parts/ListPage.tsx'
import { AddButton } from '../parts/AddButton.tsx'
import { useFilters, type Filters } from '../app/use-filters.ts'
import { contactsWords } from './words.ts'
import { saveFile } from '../parts/save-file.ts'
import { toastSuccess } from '../parts/toasts.tsx'
import { useApiMutation } from '../parts/use-api-mutation.ts'

/** The page that lists the contacts, with search, segments and bulk acts. */
export function Contacts() {
  const t = useWords(contactsWords)
  const api = useApi()
  const { setUp } = useMay()
  const go = useGo()
  const filters = useFilters('contacts', { text: 'q' })
  const { search } = filters
  const [isAdding, setAdding] = useState(false)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const list = useContacts(api, search)
  const shown = (list.data?.items ?? []).filter(({ id }) => selected.has(id))
  const { columns, hidden, toggle, all } = useShownColumns()
  const add = <AddButton onClick={() => setAdding(true)}>{t('add')}</AddButton>
  return (
    <ListPage
      title={t('title')}
      lead={<HowMany />}
      acts={
        <>
          {setUp && <SetUpActs search={search} />}
          {add}
        </>
      }
      above={<SegmentTabs search={search} />}
      // A segment has a tab, so it is not counted among the filters on a phone.
      filters={{ ...filters, count: filters.count - Number(search.segment !== undefined) }}
      search={t('search')}
      find={<Choices filters={filters} />}
      end={<ColumnsMenu columns={all} hidden={hidden} onToggle={toggle} />}
      list={list}
      columns={columns}
      onOpen={({ id }) => void go('contacts/$contact', { contact: id })}
      selected={selected}
      onSelect={setSelected}
      nameOf={nameOf}
      empty={
        <Empty title={t('none')} act={add}>
          {t('none_why')}
        </Empty>
      }
    >
      <TagBar contacts={shown} onClear={() => setSelected(new Set())} />
      {isAdding && <ContactForm contact={null} onClose={() => setAdding(false)} />}
    </ListPage>
  )
}

/** The bar of acts for the selected contacts. */
function TagBar({ contacts, onClear }: { contacts: readonly ListedContact[]; onClear(): void }) {
  const t = useWords(contactsWords)
  const [act, setAct] = useState<'add' | 'remove' | null>(null)
  return (
    <>
      <BulkBar count={contacts.length} onClear={onClear}>
        <BulkAct onClick={() => setAct('add')}>
          <Icon name="tag" />
          {t('add_tag')}
        </BulkAct>
        <BulkAct onClick={() => setAct('remove')}>{t('remove_tag')}</BulkAct>
      </BulkBar>
      {act !== null && (
        <BulkTags
          act={act}
          contacts={contacts}
          onClose={(isDone) => {
            setAct(null)
            if (isDone) onClear()
          }}
        />
      )}
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

/** The number of contacts, which is counted for Owners and Admins only. */
function HowMany() {
  const t = useWords(contactsWords)
  const api = useApi()
  const { setUp } = useMay()
  const all = useQuery({ ...countQuery(api, {}), enabled: setUp }).data
  const stopped = useQuery({ ...countQuery(api, { optedOut: true }), enabled: setUp }).data
  if (all === undefined || stopped === undefined) return t('lead')
  return t('people_stopped', { n: all, stopped })
}

function Choices({ filters }: { filters: Filters<ContactSearch> }) {
  const t = useWords(contactsWords)
  const { data: tags = [] } = useQuery(tagsQuery(useApi()))
  return (
    <>
      <FilterMenu
        label={t('tag')}
        options={tags.map((tag) => ({ value: tag, label: tag }))}
        {...filters.of('tag')}
      />
      <FilterMenu
        label={t('messages')}
        options={[
          { value: 'accepted', label: t('accepts') },
          { value: 'stopped', label: t('stopped') },
        ]}
        {...filters.of('messages')}
      />
    </>
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

/** Returns a function that saves the listed contacts as a CSV file. */
function useExport() {
  const t = useWords(contactsWords)
  const api = useApi()
  const { isBusy, run } = useApiMutation()
  const save = ({ q, tag, messages, segment }: ContactSearch) => {
    void run(async () => {
      const file = await api.call('post', 'contact-exports', {
        ...(q && { q }),
        ...(tag && { tag }),
        ...(messages && { optedOut: messages === 'stopped' }),
        ...(segment && { segmentId: segment }),
      })
      toastSuccess(t('exporting'))
      saveFile(file, 'contacts.csv')
    })
  }
  return { isBusy, save }
}
