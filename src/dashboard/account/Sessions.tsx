import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ListedSessionView } from '../../contract/dashboard/session.ts'
import { accountApi } from '../app/resources.ts'
import { ConfirmButton } from '../parts/Dialogs.tsx'
import { ListTable } from '../parts/ListTable.tsx'
import { Panel } from '../parts/Page.tsx'
import { Time } from '../parts/Time.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { useApiMutation } from '../parts/use-api-mutation.ts'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './account.module.css'
import { profileWords } from './words-profile.ts'

/** The person's sessions, with a button to end each. */
export function Sessions() {
  const t = useWords(profileWords)
  const { isBusy, run } = useApiMutation()
  const list = useInfiniteQuery(accountApi.list('/sessions'))
  const items = list.data?.items ?? []
  const end = async (sessionId: string) => {
    await run(() => accountApi.delete('/sessions/:sessionId', { sessionId }), { done: t('ended') })
  }
  return (
    <Panel
      title={t('sessions')}
      end={
        items.length > 1 && (
          <ConfirmButton
            label={t('end_others')}
            button={{ size: 'xs' }}
            title={t('others_title')}
            send={async () => {
              const { ended } = await accountApi.delete('/sessions')
              toastSuccess(t('others_ended', { n: ended }))
            }}
          >
            {t('others_why')}
          </ConfirmButton>
        )
      }
    >
      <p className={layout.help}>{t('sessions_lead')}</p>
      <ListTable
        label={t('sessions')}
        list={list}
        items={items}
        empty={null}
        columns={[
          {
            head: t('device'),
            cell: (session) => (
              <>
                <Device session={session} /> {session.isThisOne && <small>({t('this_one')})</small>}
              </>
            ),
          },
          { head: t('last_seen'), cell: ({ lastSeenAt }) => <Time at={lastSeenAt} as="near" /> },
          { head: t('until'), cell: ({ expiresAt }) => <Time at={expiresAt} /> },
          {
            isActs: true,
            head: t('acts'),
            cell: ({ id, isThisOne }) =>
              !isThisOne && (
                <div className={styles.rowActs}>
                  <Button size="xs" disabled={isBusy} onClick={() => void end(id)}>
                    {t('end')}
                  </Button>
                </div>
              ),
          },
        ]}
      />
    </Panel>
  )
}

/** The first match counts, because user agents of earlier browsers also contain the names of later ones. */
const BROWSERS = [
  [/Edg/, 'Edge'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrome|CriOS|Chromium/, 'Chrome'],
  [/Safari/, 'Safari'],
] as const
const SYSTEMS = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS/, 'macOS'],
  [/Linux/, 'Linux'],
] as const

function Device({ session: { kind, userAgent } }: { session: ListedSessionView }) {
  const t = useWords(profileWords)
  const agent = userAgent ?? ''
  const browser = BROWSERS.find(([pattern]) => pattern.test(agent))?.[1]
  const system = SYSTEMS.find(([pattern]) => pattern.test(agent))?.[1]
  if (kind === 'program') return t('program')
  if (browser && system) return <span title={agent}>{t('browser_on', { browser, system })}</span>
  return agent === '' ? t('unknown_device') : <bdi dir="ltr">{agent}</bdi>
}
