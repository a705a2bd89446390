import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useGo } from '../app/pages.ts'
import type { ContactView } from '../../contract/dashboard/contact.ts'
import { useApi } from '../app/resources.ts'
import { queries } from '../app/queries.ts'
import { ContactPicker } from '../parts/ContactPicker.tsx'
import { Confirm } from '../parts/Dialogs.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Details } from '../parts/Page.tsx'
import { Tags } from '../parts/Tags.tsx'
import { useContactName } from '../parts/use-contact-name.ts'
import { useWords } from '../words/use-words.tsx'
import { languageName, MessagesState, PhoneOf } from './columns.tsx'
import styles from './contacts.module.css'
import { contactsWords } from './words.ts'
import { contactWords } from './words-contact.ts'

/** A dialog with two contacts side by side, and the result of merging them. */
export function MergeDialog({
  contact,
  other = null,
  onClose,
}: {
  contact: ContactView
  /** The likely duplicate; the dialog asks for one if it is missing. */
  other?: ContactView | null
  onClose(): void
}) {
  const t = useWords(contactWords)
  const api = useApi()
  const go = useGo()
  const [into, setInto] = useState(contact)
  const [from, setFrom] = useState<ContactView | null>(other)
  const name = useContactName()(into)
  const swap = () => {
    if (from === null) return
    setInto(from)
    setFrom(into)
  }
  return (
    <Confirm
      title={t('merge_title')}
      act={t('merge_act', { name })}
      keep={t('merge_keep')}
      mayAct={from !== null}
      send={async () => {
        const json = { fromId: from?.id ?? '' }
        const merged = await api.post('contacts/:contactId/merge', { contactId: into.id }, json)
        await go('contacts/$contact', { contact: merged.id })
        // Almost every page shows contacts.
        void queries.invalidateQueries()
      }}
      done={t('merged')}
      onClose={onClose}
    >
      {other === null && (
        <ContactPicker
          label={t('merge_with')}
          without={({ id }) => id === into.id}
          onPick={setFrom}
        />
      )}
      {from !== null && (
        <>
          <div className={styles.sides}>
            <Side title={t('merge_stays')} contact={into} />
            <Side title={t('merge_goes')} contact={from} />
          </div>
          <Button size="xs" leftSection={<Icon name="up_down" />} onClick={swap}>
            {t('swap')}
          </Button>
        </>
      )}
      <p>{t('merge_why')}</p>
    </Confirm>
  )
}

function Side({ title, contact }: { title: string; contact: ContactView }) {
  const t = useWords(contactWords)
  const list = useWords(contactsWords)
  const { data: fields = [] } = useQuery(useApi().items('contact-fields'))
  return (
    <section className={styles.side2} aria-label={title}>
      <h3>{title}</h3>
      <Details
        items={[
          [list('name'), <bdi key="name">{contact.name ?? t('none')}</bdi>],
          [list('phone'), <PhoneOf key="phone" contact={contact} />],
          [list('email'), <bdi key="email">{contact.email ?? t('none')}</bdi>],
          [list('language'), languageName(list, contact.language)],
          [list('tags'), <Tags key="tags" tags={contact.tags} />],
          ...fields
            .filter(({ key, isArchived }) => !isArchived && key in contact.fields)
            .map(
              ({ key, label }) =>
                [
                  <bdi key="label">{label}</bdi>,
                  <bdi key="value">{contact.fields[key]}</bdi>,
                ] as const,
            ),
          [list('messages'), <MessagesState key="messages" isStopped={contact.optedOut} />],
        ]}
      />
    </section>
  )
}
