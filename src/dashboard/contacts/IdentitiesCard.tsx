import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { IdentifierView, MergeView } from '../../contract/dashboard/identity.ts'
import { useApi } from '../app/resources.ts'
import { queries } from '../app/queries.ts'
import { useMay } from '../app/session.ts'
import { IdChip } from '../parts/Code.tsx'
import { ConversationLink } from '../parts/ConversationLink.tsx'
import { Confirm } from '../parts/Dialogs.tsx'
import { Panel, ReadState } from '../parts/Page.tsx'
import { Phone } from '../parts/Phone.tsx'
import { useChannelName } from '../parts/use-channel-name.ts'
import { useFormat } from '../words/format.ts'
import { useContactName } from '../parts/use-contact-name.ts'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './contacts.module.css'
import { identityWords } from './words-identities.ts'

/** The identifiers of a contact with their origin and time, and the contacts that were merged into it. */
export function IdentitiesCard({ contactId }: { contactId: string }) {
  const t = useWords(identityWords)
  const api = useApi()
  const channelName = useChannelName()
  const { setUp } = useMay()
  const list = useQuery(api.get('contacts/:contactId/identities', { contactId }))
  const [asked, setAsked] = useState<MergeView | null>(null)
  const known = (list.data?.identities ?? []).filter(
    ({ identifiers, conversations }) => identifiers.length + conversations.length > 0,
  )
  const merges = list.data?.merges ?? []
  return (
    <Panel title={t('known_by')}>
      <ReadState of={list} rows={2} />
      {list.isSuccess && known.length === 0 && <p className={layout.quiet}>{t('known_by_none')}</p>}
      {known.map(({ id, identifiers, conversations }) => (
        <ul key={id} className={layout.plainList}>
          {identifiers.map((identifier) => (
            <Identifier key={`${identifier.kind}${identifier.value}`} identifier={identifier} />
          ))}
          {conversations.length > 0 && (
            <li className={styles.row}>
              {conversations.map((talk) => (
                <ConversationLink key={talk.id} id={talk.id}>
                  {channelName(talk.channelType)}
                </ConversationLink>
              ))}
            </li>
          )}
        </ul>
      ))}
      {merges.length > 0 && (
        <>
          <h3 className={styles.small}>{t('merged_contacts')}</h3>
          <ul className={layout.plainList}>
            {merges.map((merge) => (
              <Merge
                key={merge.contactId}
                merge={merge}
                onTakeOut={setUp && merge.canBeTakenOut ? () => setAsked(merge) : null}
              />
            ))}
          </ul>
        </>
      )}
      {asked && <TakeOut contactId={contactId} merge={asked} onClose={() => setAsked(null)} />}
    </Panel>
  )
}

function Identifier({
  identifier: { kind, value, proof, state, since, changedAt },
}: {
  identifier: IdentifierView
}) {
  const t = useWords(identityWords)
  const format = useFormat()
  const said = t(proof === 'call' || proof === 'form' ? `${proof}_proof` : proof)
  return (
    <li className={styles.row}>
      <span>{t(kind)}</span>
      {kind === 'number' ? <Phone phone={value} /> : <IdChip id={value} />}
      <span className={styles.whole}>{t('since', { proof: said, time: format.date(since) })}</span>
      {state !== 'current' && (
        <span className={styles.whole}>
          {changedAt === null ? t(`${state}_undated`) : t(state, { time: format.date(changedAt) })}
        </span>
      )}
    </li>
  )
}

function Merge({ merge, onTakeOut }: { merge: MergeView; onTakeOut: (() => void) | null }) {
  const t = useWords(identityWords)
  const nameOf = useContactName()
  const { by, at } = merge
  const time = useFormat().date(at)
  return (
    <li className={styles.row}>
      <bdi>{nameOf(merge)}</bdi>
      {onTakeOut && (
        <Button size="xs" onClick={onTakeOut}>
          {t('take_out')}
        </Button>
      )}
      <span className={styles.whole}>
        {by === null
          ? t('merged_by_proof', { time })
          : t('merged_by', { name: by.name ?? t('unnamed'), time })}
      </span>
    </li>
  )
}

function TakeOut({
  contactId,
  merge,
  onClose,
}: {
  contactId: string
  merge: MergeView
  onClose(): void
}) {
  const t = useWords(identityWords)
  const nameOf = useContactName()
  const { contactId: fromId, by } = merge
  const api = useApi()
  return (
    <Confirm
      title={t('take_out_title', { name: nameOf(merge) })}
      act={t('take_out')}
      keep={t('take_out_keep')}
      send={async () => {
        await api.post('contacts/:contactId/unmerge', { contactId }, { fromId })
        // Almost every page shows contacts.
        void queries.invalidateQueries()
      }}
      done={t('taken_out')}
      onClose={onClose}
    >
      <p>{t('take_out_why')}</p>
      {by === null && <p>{t('take_out_proof')}</p>}
    </Confirm>
  )
}
