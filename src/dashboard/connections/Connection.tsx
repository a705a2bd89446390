import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useGo } from '../app/pages.ts'
import type { ConnectionView, TestedConnection } from '../../contract/dashboard/connection.ts'
import { useApi } from '../app/resources.ts'
import { useSession } from '../app/session.ts'
import { diffValues } from '../parts/diff-values.ts'
import { IdChip, Ltr } from '../parts/Code.tsx'
import { ConfirmButton } from '../parts/Dialogs.tsx'
import { Banner, Details, PageHeader, Panel, ReadState } from '../parts/Page.tsx'
import { PageButton } from '../parts/PageLink.tsx'
import { Time } from '../parts/Time.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { ActButton } from '../parts/ActButton.tsx'
import { useWords } from '../words/use-words.tsx'
import { ConnectionForm } from './ConnectionForm.tsx'
import layout from '../parts/layout.module.css'
import { Credential } from './Credential.tsx'
import { ConnectionPill } from './ConnectionPill.tsx'
import { connectionFiguresQuery, usersOf } from './queries.ts'
import { UsersCount, UsersList } from './Users.tsx'
import { connectionsWords } from './words.ts'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { FormFoot, useApiForm } from '../parts/form.tsx'
import { CallResult } from './CallResult.tsx'
import styles from './connections.module.css'

/** The page of one API connection: its settings, and a console that makes a test call. */
export function Connection() {
  const t = useWords(connectionsWords)
  const api = useApi()
  const { connection: connectionId } = useParams({ from: '/p/$company/connections/$connection' })
  const { developer: isInPlan } = useSession().account.features
  const { data: connection } = useSuspenseQuery(
    api.get('connections/:connectionId', { connectionId }),
  )
  const figures = useQuery(connectionFiguresQuery(api)).data?.items.find(
    (each) => each.connectionId === connectionId,
  )
  return (
    <>
      <PageHeader
        isBelow
        title={<bdi>{connection.name}</bdi>}
        pill={<ConnectionPill isOn={connection.isOn} figures={figures} />}
        lead={<Ltr>{connection.baseUrl}</Ltr>}
        acts={<Acts connection={connection} isInPlan={isInPlan} />}
      />
      {!isInPlan && (
        <Banner tone="off" title={t('not_in_plan')}>
          {t('not_in_plan_why')}
        </Banner>
      )}
      <div className={layout.columns}>
        <div className={layout.stack}>
          <Panel title={t('test')}>
            <TestConsole connectionId={connection.id} isInPlan={isInPlan} />
          </Panel>
          <Panel title={t('settings')}>
            <ConnectionForm
              connection={connection}
              onSubmit={async (input) => {
                // Unchanged values are not sent: only a changed URL requires the password again.
                const json = { ...diffValues(connection, input), updatedAt: connection.updatedAt }
                await api.patch('connections/:connectionId', { connectionId }, json)
                toastSuccess(t('saved'))
              }}
            />
          </Panel>
        </div>
        <Facts connection={connection} />
      </div>
    </>
  )
}

function Facts({ connection }: { connection: ConnectionView }) {
  const t = useWords(connectionsWords)
  const api = useApi()
  const read = useQuery(api.get('connection-users'))
  return (
    <div className={layout.stack}>
      <Panel title={t('details')}>
        <Details
          items={[
            [t('credential'), <Credential key="auth" auth={connection.auth} />],
            [t('added'), <Time key="added" at={connection.createdAt} />],
            [t('changed'), <Time key="changed" at={connection.updatedAt} />],
            [t('id'), <IdChip key="id" id={connection.id} />],
          ]}
        />
      </Panel>
      <Panel title={t('used_by')}>
        {read.data ? (
          <UsersList users={usersOf(read.data.items, connection.id)} />
        ) : (
          <ReadState of={read} rows={1} />
        )}
      </Panel>
    </div>
  )
}

function Acts({ connection, isInPlan }: { connection: ConnectionView; isInPlan: boolean }) {
  const t = useWords(connectionsWords)
  const api = useApi()
  const go = useGo()
  const read = useQuery(api.get('connection-users'))
  const users = usersOf(read.data?.items, connection.id)
  const isUsed = users.flows.length + users.actions.length > 0
  const { id: connectionId, name } = connection
  return (
    <>
      <PageButton to="connections/calls" search={{ connection: connectionId }}>
        {t('call_log')}
      </PageButton>
      {connection.isOn ? (
        <ConfirmButton
          label={t('switch_off')}
          title={t('off_title', { name })}
          keep={t('off_keep')}
          send={() => api.post('connections/:connectionId/switch-off', { connectionId })}
          done={t('switched_off')}
        >
          <p>{t('off_why')}</p>
          {read.data && (
            <p>
              {t('used_by')}: <UsersCount users={users} />
            </p>
          )}
        </ConfirmButton>
      ) : (
        <ActButton
          disabled={!isInPlan}
          act={() => api.post('connections/:connectionId/switch-on', { connectionId })}
          done={t('switched_on')}
        >
          {t('switch_on')}
        </ActButton>
      )}
      <ConfirmButton
        label={t('delete')}
        title={t(isUsed ? 'in_use_title' : 'delete_title', { name })}
        keep={t(isUsed ? 'understood' : 'delete_keep')}
        isGrave
        mayAct={read.data !== undefined && !isUsed}
        send={async () => {
          await api.delete('connections/:connectionId', { connectionId })
          await go('connections', {})
        }}
        done={t('deleted')}
      >
        <p>{t(isUsed ? 'in_use_why' : 'delete_why')}</p>
        {isUsed && <UsersList users={users} />}
        {/* Nothing is deleted while it is unknown what uses the connection. */}
        {!read.data && <ReadState of={read} rows={1} />}
      </ConfirmButton>
    </>
  )
}

/** A real GET request through the connection, and its result. */
function TestConsole({ connectionId, isInPlan }: { connectionId: string; isInPlan: boolean }) {
  const t = useWords(connectionsWords)
  const api = useApi()
  const [tested, setTested] = useState<TestedConnection | null>(null)
  const form = useApiForm<{ path: string }>({
    values: { path: '/' },
    onSubmit: async (json) => {
      setTested(await api.call('post', 'connections/:connectionId/test', { connectionId }, json))
    },
  })
  return (
    <div className={styles.console}>
      <p className={layout.help}>{t('test_lead')}</p>
      <form className={styles.console} noValidate onSubmit={form.submit}>
        <TextInput
          dir="ltr"
          label={t('path')}
          description={t('path_help')}
          {...form.field('path')}
        />
        {isInPlan ? (
          <FormFoot form={form} act={t('send')} />
        ) : (
          <div>
            <Button disabled>{t('send')}</Button>
          </div>
        )}
      </form>
      {tested && (
        <CallResult
          tested={tested}
          sent={tested.sent}
          answer={tested.answer}
          answerChars={tested.answerChars}
        />
      )}
    </div>
  )
}
