import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ContactView, DuplicateView } from '../../contract/dashboard/contact.ts'
import { api, ask } from '../app/api.ts'
import { useCompanyId } from '../app/company.ts'
import { queries } from '../app/queries.ts'
import { Crumbs } from '../parts/Crumbs.tsx'
import { LinkButton } from '../parts/LinkButton.tsx'
import { Empty, Failed, PageHeader, Panel, Skeleton } from '../parts/Page.tsx'
import { PersonLink } from '../parts/PersonLink.tsx'
import { Phone } from '../parts/Phone.tsx'
import { useAct } from '../parts/use-act.ts'
import { useWords } from '../words/use-words.tsx'
import styles from './contacts.module.css'
import { MergeDialog } from './MergeDialog.tsx'
import { contactQuery } from './queries.ts'
import { settingsWords } from './words-settings.ts'

/** Contacts that may be one customer, for a member to judge. */
export function Duplicates() {
  const t = useWords(settingsWords)
  const company = useCompanyId()
  const list = useQuery({
    queryKey: ['contacts', company, 'duplicates'],
    queryFn: async () => {
      const param = { companyId: company }
      return (await ask(api.companies[':companyId']['contact-duplicates'].$get({ param }))).items
    },
  })
  const [pair, setPair] = useState<readonly [ContactView, ContactView] | null>(null)
  const { isBusy, run } = useAct()
  const compare = async ([first, second]: readonly { id: string }[]) => {
    const read = await run(() =>
      Promise.all([first!, second!].map(({ id }) => queries.fetchQuery(contactQuery(company, id)))),
    )
    if (read) setPair([read[0]!, read[1]!])
  }
  return (
    <>
      <Crumbs items={[t('duplicates')]} />
      <PageHeader
        title={t('duplicates')}
        lead={t('duplicates_lead')}
        acts={
          <LinkButton to="/p/$company/contacts" params={{ company }}>
            {t('back')}
          </LinkButton>
        }
      />
      {list.isError && <Failed error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Skeleton />}
      {list.data?.length === 0 && <Empty title={t('no_duplicates')} />}
      <div className={styles.side}>
        {(list.data ?? []).map((group) => (
          <Group
            key={`${group.by}${group.value}`}
            group={group}
            isBusy={isBusy}
            onCompare={() => void compare(group.contacts)}
          />
        ))}
      </div>
      {pair && <MergeDialog contact={pair[0]} other={pair[1]} onClose={() => setPair(null)} />}
    </>
  )
}

function Group({
  group: { by, value, contacts },
  isBusy,
  onCompare,
}: {
  group: DuplicateView
  isBusy: boolean
  onCompare(): void
}) {
  const t = useWords(settingsWords)
  return (
    <Panel
      title={
        <>
          {t(`same_${by}`)} <bdi className={styles.muted}>{value}</bdi>
        </>
      }
      end={
        <Button size="xs" disabled={isBusy} onClick={onCompare}>
          {t('compare')}
        </Button>
      }
    >
      <ul className={styles.rows}>
        {contacts.map((contact) => (
          <li key={contact.id} className={styles.row}>
            <PersonLink contact={contact} />
            <span className={styles.ends}>
              {contact.phone !== null && <Phone phone={contact.phone} />}
              {contact.email !== null && <bdi>{contact.email}</bdi>}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
