import { PageLink } from './PageLink.tsx'
import { useWords } from '../words/use-words.tsx'
import { Avatar } from './Page.tsx'
import { Phone } from './Phone.tsx'
import styles from './people.module.css'
import { partsWords } from './words.ts'

type Person = { id: string; name: string | null; phone?: string | null }

/** A link to a contact's page, with the contact's name or else number. */
export function PersonLink({ contact, withFace = true }: { contact: Person; withFace?: boolean }) {
  return (
    <PageLink to="contacts/$contact" params={{ contact: contact.id }} className={styles.person}>
      {withFace && <Avatar name={contact.name} />}
      <PersonName contact={contact} />
    </PageLink>
  )
}

/** The name of a contact, else their number, as text without a link. */
export function PersonName({ contact }: { contact: Omit<Person, 'id'> }) {
  const t = useWords(partsWords)
  if (contact.name !== null) return <bdi>{contact.name}</bdi>
  if (contact.phone != null) return <Phone phone={contact.phone} />
  return <span>{t('unnamed_contact')}</span>
}
