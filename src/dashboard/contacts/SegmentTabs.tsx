import { ActionIcon, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useGo } from '../app/pages.ts'
import type { SegmentView } from '../../contract/dashboard/segment.ts'
import { useApi } from '../app/resources.ts'
import { useCompanyId } from '../app/company.ts'
import { useMay } from '../app/session.ts'
import { Confirm } from '../parts/Dialogs.tsx'
import { Icon } from '../parts/Icon.tsx'
import { TabBar, TabLink } from '../parts/Tabs.tsx'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import styles from './contacts.module.css'
import { countQuery } from './queries.ts'
import type { ContactSearch } from './search.ts'
import { SegmentDialog } from './SegmentDialog.tsx'
import { contactsWords } from './words.ts'

/** The company's segments (stored filters) as tabs of the list of contacts, and the buttons that edit segments. */
export function SegmentTabs({ search }: { search: ContactSearch }) {
  const t = useWords(contactsWords)
  const api = useApi()
  const company = useCompanyId()
  const { setUp } = useMay()
  const { data: segments = [] } = useQuery(api.items('segments'))
  const open = segments.find(({ id }) => id === search.segment) ?? null
  const [edited, setEdited] = useState<SegmentView | 'new' | null>(null)
  const [isDeleting, setDeleting] = useState(false)
  const { segment: _left, ...rest } = search
  return (
    <div className={styles.tabs}>
      <TabBar label={t('views')}>
        <TabLink
          to="/p/$company/contacts"
          params={{ company }}
          search={rest}
          isOn={search.segment === undefined}
          count={<Count filter={{}} />}
        >
          {t('everyone')}
        </TabLink>
        {segments.map(({ id, name, filter }) => (
          <TabLink
            key={id}
            to="/p/$company/contacts"
            params={{ company }}
            search={{ ...rest, segment: id }}
            isOn={search.segment === id}
            count={<Count filter={filter} />}
          >
            <bdi>{name}</bdi>
          </TabLink>
        ))}
        {setUp && (
          <button type="button" className={styles.newSegment} onClick={() => setEdited('new')}>
            <Icon name="plus" size={14} />
            {t('new_segment')}
          </button>
        )}
      </TabBar>
      {setUp && open && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" size={36} aria-label={t('views')}>
              <Icon name="more" />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<Icon name="edit" />} onClick={() => setEdited(open)}>
              {t('edit_segment')}
            </Menu.Item>
            <Menu.Item leftSection={<Icon name="trash" />} onClick={() => setDeleting(true)}>
              {t('delete_segment')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {/* The dialog is outside of the menu, which closes on a press in the dialog. */}
      {open && (
        <DeleteSegment segment={open} isOpen={isDeleting} onClose={() => setDeleting(false)} />
      )}
      {edited !== null && (
        <SegmentDialog segment={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
    </div>
  )
}

function Count({ filter }: { filter: SegmentView['filter'] }) {
  const format = useFormat()
  const { setUp } = useMay()
  const { data } = useQuery({ ...countQuery(useApi(), filter), enabled: setUp })
  return data === undefined ? null : format.number(data)
}

function DeleteSegment({
  segment,
  isOpen,
  onClose,
}: {
  segment: SegmentView
  isOpen: boolean
  onClose(): void
}) {
  const t = useWords(contactsWords)
  const api = useApi()
  const go = useGo()
  return (
    <Confirm
      isOpen={isOpen}
      title={t('delete_segment_title', { name: segment.name })}
      act={t('delete_segment')}
      keep={t('delete_segment_keep')}
      isGrave
      send={async () => {
        await api.delete('segments/:segmentId', { segmentId: segment.id })
        await go('contacts', {})
      }}
      done={t('segment_deleted')}
      onClose={onClose}
    >
      {t('delete_segment_why')}
    </Confirm>
  )
}
