import { Button, Select } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CalendarLinkView } from '../../contract/dashboard/calendar-link.ts'
import { useApi } from '../app/resources.ts'
import { Confirm, SecretDialog } from '../parts/Dialogs.tsx'
import { Listing } from '../parts/ListPage.tsx'
import { Empty } from '../parts/Page.tsx'
import { Time } from '../parts/Time.tsx'
import { useApiMutation } from '../parts/use-api-mutation.ts'
import { useLeaveGuard } from '../parts/use-leave-guard.ts'
import { useWords } from '../words/use-words.tsx'
import { useResources } from './use-calendar.ts'
import { useNamed } from '../words/use-named.ts'
import { setupWords } from './words-setup.ts'

/** Secret URLs at which a member's calendar app reads the appointments. */
export function CalendarsTab() {
  const t = useWords(setupWords)
  const named = useNamed()
  const api = useApi()
  const resources = useResources()
  const links = useSuspenseQuery(api.items('calendar-links')).data
  const [resourceId, setResourceId] = useState<string | null>(null)
  const [url, setUrl] = useState<string | null>(null)
  const [asked, setAsked] = useState<CalendarLinkView | null>(null)
  const making = useApiMutation()
  useLeaveGuard(making.isBusy)
  const make = async () => {
    const made = await making.run(() => api.call('post', 'calendar-links', { resourceId }))
    if (made === null) return
    setUrl(made.url)
    await api.changed('calendar-links')
  }
  const whose = ({ resourceId: id }: CalendarLinkView) => {
    const resource = resources.find((one) => one.id === id)
    return resource ? named(resource) : t('everybody')
  }
  return (
    <>
      <p>{t('calendars_why')}</p>
      <Listing
        label={t('tab_calendars')}
        find={
          <>
            <Select
              aria-label={t('whose')}
              placeholder={t('everybody')}
              clearable
              value={resourceId}
              data={resources.map((one) => ({ value: one.id, label: named(one) }))}
              onChange={setResourceId}
            />
            <Button variant="filled" loading={making.isBusy} onClick={() => void make()}>
              {t('make_link')}
            </Button>
          </>
        }
        items={links}
        empty={<Empty title={t('no_links')}>{t('no_links_why')}</Empty>}
        columns={[
          { head: t('whose'), cell: (link) => <bdi>{whose(link)}</bdi> },
          { head: t('made'), cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            isActs: true,
            head: t('delete'),
            cell: (link) => (
              <Button size="xs" onClick={() => setAsked(link)}>
                {t('delete')}
              </Button>
            ),
          },
        ]}
      />
      <SecretDialog
        kind="calendar"
        title={t('link_title')}
        secret={url}
        onClose={() => setUrl(null)}
      >
        <p>{t('link_how')}</p>
      </SecretDialog>
      <Confirm
        isOpen={asked !== null}
        isGrave
        title={t('delete_link_title')}
        act={t('delete_link')}
        send={() => asked && api.delete('calendar-links/:linkId', { linkId: asked.id })}
        done={t('link_deleted')}
        onClose={() => setAsked(null)}
      >
        {t('delete_link_why')}
      </Confirm>
    </>
  )
}
