import { Radio, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { SegmentFilter } from '../../contract/dashboard/segment.ts'
import { BROADCAST_LIMITS } from '../../core/limits/broadcasts.ts'
import { useApi } from '../app/resources.ts'
import { countQuery } from '../contacts/queries.ts'
import { ContactPicker } from '../parts/ContactPicker.tsx'
import type { ApiForm } from '../parts/form.tsx'
import { PersonName } from '../parts/PersonLink.tsx'
import { IconButton } from '../parts/IconButton.tsx'
import { useContactName } from '../parts/use-contact-name.ts'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './broadcasts.module.css'
import type { DraftValues } from './draft-values.ts'
import { draftWords } from './words-draft.ts'

/** The fields of a draft that choose its audience: all contacts, a segment, or single contacts. */
export function AudienceFields({ form }: { form: ApiForm<DraftValues> }) {
  const { value: audience, error, onChange } = form.pick('audience')
  const t = useWords(draftWords)
  const { data: segments = [] } = useQuery(useApi().items('segments'))
  const first = segments[0]
  const begin = (kind: string) => {
    if (kind === 'contacts') onChange({ kind, contactIds: [] })
    if (kind === 'filter') onChange({ kind, filter: {} })
    if (kind === 'segment' && first) onChange({ kind, segmentId: first.id })
  }
  return (
    <>
      <Radio.Group
        label={t('audience')}
        value={audience?.kind ?? null}
        error={error ?? form.errorOf('audience.contactIds') ?? form.errorOf('audience.segmentId')}
        onChange={begin}
      >
        <Radio mt="sm" value="filter" label={t('everybody')} />
        <Radio mt="sm" value="segment" label={t('by_segment')} disabled={!first} />
        <Radio mt="sm" value="contacts" label={t('by_contacts')} />
        {audience?.kind === 'failed_of' && (
          <Radio mt="sm" value="failed_of" label={t('failed_of')} />
        )}
      </Radio.Group>
      {audience?.kind === 'filter' && <Fits filter={audience.filter} />}
      {audience?.kind === 'segment' && (
        <>
          <Select
            label={t('segment')}
            allowDeselect={false}
            data={segments.map(({ id, name }) => ({ value: id, label: name }))}
            value={audience.segmentId}
            onChange={(segmentId) => segmentId !== null && onChange({ kind: 'segment', segmentId })}
          />
          <Fits filter={segments.find(({ id }) => id === audience.segmentId)?.filter ?? {}} />
        </>
      )}
      {audience?.kind === 'contacts' && (
        <Contacts
          ids={audience.contactIds}
          onChange={(contactIds) => onChange({ kind: 'contacts', contactIds })}
        />
      )}
    </>
  )
}

function Fits({ filter }: { filter: SegmentFilter }) {
  const t = useWords(draftWords)
  const { data } = useQuery(countQuery(useApi(), filter))
  return (
    <p className={layout.quiet} role="status">
      {data !== undefined && t('fits', { n: data })}
    </p>
  )
}

function Contacts({ ids, onChange }: { ids: string[]; onChange(ids: string[]): void }) {
  const t = useWords(draftWords)
  const isFull = ids.length >= BROADCAST_LIMITS.contacts
  return (
    <>
      <ContactPicker
        label={t('add_contact')}
        description={t('chosen_most', { most: BROADCAST_LIMITS.contacts })}
        clearsItself
        without={({ id }) => isFull || ids.includes(id)}
        onPick={(contact) => contact && onChange([...ids, contact.id])}
      />
      <p className={layout.quiet} role="status">
        {t('chosen', { n: ids.length })}
      </p>
      <ul className={styles.chosen}>
        {ids.map((id) => (
          <ChosenContact
            key={id}
            id={id}
            onRemove={() => onChange(ids.filter((one) => one !== id))}
          />
        ))}
      </ul>
    </>
  )
}

function ChosenContact({ id, onRemove }: { id: string; onRemove(): void }) {
  const t = useWords(draftWords)
  const { data: contact } = useQuery(useApi().get('contacts/:contactId', { contactId: id }))
  const nameOf = useContactName()
  return (
    <li>
      {contact ? <PersonName contact={contact} /> : <span>…</span>}
      <IconButton
        icon="close"
        label={t('remove', { name: contact ? nameOf(contact) : '…' })}
        onClick={onRemove}
      />
    </li>
  )
}
