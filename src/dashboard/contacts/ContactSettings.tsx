import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PageButton } from '../parts/PageLink.tsx'
import type { ContactFieldView } from '../../contract/dashboard/contact.ts'
import { CONTACT_LIMITS } from '../../core/limits/contacts.ts'
import { useApi } from '../app/resources.ts'
import { useMay } from '../app/session.ts'
import { Confirm } from '../parts/Dialogs.tsx'
import { ActButton } from '../parts/ActButton.tsx'
import { AddButton } from '../parts/AddButton.tsx'
import { Ltr } from '../parts/Code.tsx'
import { ListTable, type Column } from '../parts/ListTable.tsx'
import { Empty, PageHeader, Panel } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './contacts.module.css'
import { FieldDialog } from './FieldDialog.tsx'
import { TagSettings } from './TagSettings.tsx'
import { settingsWords } from './words-settings.ts'

/** The page of the custom fields and the tags of contacts. */
export function ContactSettings() {
  const t = useWords(settingsWords)
  return (
    <>
      <PageHeader
        isBelow
        title={t('title')}
        lead={t('lead')}
        acts={<PageButton to="contacts">{t('back')}</PageButton>}
      />
      <div className={layout.stack}>
        <Fields />
        <TagSettings />
      </div>
    </>
  )
}

function Fields() {
  const t = useWords(settingsWords)
  const api = useApi()
  const { setUp } = useMay()
  const list = useQuery(api.items('contact-fields'))
  const [edited, setEdited] = useState<ContactFieldView | 'new' | null>(null)
  const [archived, setArchived] = useState<ContactFieldView | null>(null)
  const archive = (fieldId: string, isArchived: boolean) =>
    api.patch('contact-fields/:fieldId', { fieldId }, { isArchived })
  const items = list.data ?? []
  const isFull = items.length >= CONTACT_LIMITS.fields
  const add = setUp && (
    <AddButton isOff={isFull} onClick={() => setEdited('new')}>
      {t('add_field')}
    </AddButton>
  )
  const acts: Column<ContactFieldView> = {
    isActs: true,
    head: t('acts'),
    isFigure: true,
    cell: (field) => (
      <span className={styles.ends}>
        <Button size="xs" onClick={() => setEdited(field)}>
          {t('edit_field')}
        </Button>
        {field.isArchived ? (
          <ActButton size="xs" act={() => archive(field.id, false)} done={t('field_saved')}>
            {t('bring_back')}
          </ActButton>
        ) : (
          <Button size="xs" onClick={() => setArchived(field)}>
            {t('archive')}
          </Button>
        )}
      </span>
    ),
  }
  return (
    <Panel
      title={t('fields')}
      end={
        <span className={styles.ends}>
          {t('of_fields', { n: items.length, limit: CONTACT_LIMITS.fields })}
          {items.length > 0 && add}
        </span>
      }
    >
      {!setUp && <p className={layout.quiet}>{t('only_admins')}</p>}
      <ListTable
        label={t('fields')}
        list={list}
        items={items}
        columns={setUp ? [...fieldColumns(t), acts] : fieldColumns(t)}
        empty={<Empty title={t('no_fields')} act={add} />}
      />
      {edited !== null && (
        <FieldDialog field={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
      <Confirm
        isOpen={archived !== null}
        title={t('archive_title', { label: archived?.label ?? '' })}
        act={t('archive')}
        keep={t('archive_keep')}
        send={() => archived && archive(archived.id, true)}
        done={t('field_saved')}
        onClose={() => setArchived(null)}
      >
        {t('archive_why')}
      </Confirm>
    </Panel>
  )
}

function fieldColumns(
  t: ReturnType<typeof useWords<(typeof settingsWords)['en']>>,
): Column<ContactFieldView>[] {
  return [
    { head: t('label'), cell: ({ label }) => <bdi>{label}</bdi> },
    { head: t('key'), cell: ({ key }) => <Ltr>{key}</Ltr> },
    {
      head: t('kind'),
      cell: ({ kind, choices }) => (
        <>
          {t(`kind_${kind}`)}
          {choices.length > 0 && <div className={layout.muted}>{choices.join(' · ')}</div>}
        </>
      ),
    },
    { head: t('state'), cell: ({ isArchived }) => t(isArchived ? 'archived' : 'in_use') },
  ]
}
