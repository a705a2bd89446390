import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { InvitationView, MemberView } from '../../contract/dashboard/member.ts'
import { roleWords } from '../../core/words/role-words.ts'
import { accountApi } from '../app/resources.ts'
import { useMay, useSession } from '../app/session.ts'
import { Ltr } from '../parts/Code.tsx'
import { Confirm, ConfirmButton } from '../parts/Dialogs.tsx'
import { Icon } from '../parts/Icon.tsx'
import { ListTable, type Column } from '../parts/ListTable.tsx'
import { Avatar, PageHeader, Panel } from '../parts/Page.tsx'
import { Pill } from '../parts/Pill.tsx'
import { Time } from '../parts/Time.tsx'
import { useNarrowRows } from '../parts/use-is-phone-width.ts'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './account.module.css'
import { InviteDialog } from './InviteDialog.tsx'
import { ChangeRole, RemoveMember } from './MemberDialogs.tsx'
import { teamWords } from './words-team.ts'

type Asked = { act: 'role' | 'remove'; member: MemberView }

/** The page of the account's members and open invitations. */
export function Team() {
  const t = useWords(teamWords)
  const [isInviting, setInviting] = useState(false)
  const [asked, setAsked] = useState<Asked | null>(null)
  const list = useInfiniteQuery(accountApi.list('/members', { limit: '100' }))
  const close = () => setAsked(null)
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        acts={
          <Button
            variant="filled"
            leftSection={<Icon name="person_add" />}
            onClick={() => setInviting(true)}
          >
            {t('invite')}
          </Button>
        }
      />
      <div className={layout.stack}>
        <Panel title={t('members')}>
          <ListTable
            label={t('members')}
            list={list}
            columns={useMemberColumns(setAsked)}
            empty={null}
          />
        </Panel>
        <Invitations />
        <TeamSecondFactor />
      </div>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
      {asked?.act === 'role' && <ChangeRole member={asked.member} onClose={close} />}
      {asked?.act === 'remove' && <RemoveMember member={asked.member} onClose={close} />}
    </>
  )
}

function useMemberColumns(onAct: (asked: Asked) => void): Column<MemberView>[] {
  const t = useWords(teamWords)
  const nameOfRole = useWords(roleWords)
  const { person } = useSession()
  const { own } = useMay()
  return [
    {
      head: t('member'),
      cell: ({ personId, name, email }) => (
        <div className={styles.person}>
          <Avatar name={name ?? email} />
          <span className={styles.names}>
            <span>
              <bdi>{name ?? email}</bdi> {personId === person.id && <small>({t('you')})</small>}
            </span>
            {name !== null && (
              <span className={layout.help}>
                <bdi dir="ltr">{email}</bdi>
              </span>
            )}
          </span>
        </div>
      ),
    },
    { head: t('role'), cell: ({ role }) => nameOfRole(role) },
    {
      phone: 'gone',
      head: t('since'),
      cell: ({ createdAt }) => <Time at={createdAt} as="dateWithYear" />,
    },
    {
      isActs: true,
      head: t('acts'),
      cell: (member) =>
        // Admins cannot change Owners.
        (own || member.role !== 'owner') && (
          <div className={styles.rowActs}>
            <Button size="xs" onClick={() => onAct({ act: 'role', member })}>
              {t('change_role')}
            </Button>
            <Button size="xs" onClick={() => onAct({ act: 'remove', member })}>
              {t(member.personId === person.id ? 'leave' : 'remove')}
            </Button>
          </div>
        ),
    },
  ]
}

function Invitations() {
  const t = useWords(teamWords)
  const nameOfRole = useWords(roleWords)
  const isNarrow = useNarrowRows()
  const [asked, setAsked] = useState<InvitationView | null>(null)
  const list = useInfiniteQuery(accountApi.list('/invitations'))
  return (
    <Panel title={t('invitations')}>
      <ListTable
        label={t('invitations')}
        list={list}
        empty={<p className={layout.help}>{t('no_invitations')}</p>}
        columns={[
          { head: t('email'), cell: ({ email }) => <Ltr>{email}</Ltr> },
          { head: t('role'), cell: ({ role }) => nameOfRole(role) },
          {
            head: t('state'),
            cell: ({ isMailed }) => (
              <Pill tone="busy" icon={isMailed ? 'send' : 'person'}>
                {t(isMailed ? 'mailed' : 'by_hand')}
              </Pill>
            ),
          },
          {
            head: t('until'),
            cell: ({ expiresAt }) => (
              <>
                {isNarrow && `${t('until')} `}
                <Time at={expiresAt} />
              </>
            ),
          },
          {
            isActs: true,
            head: t('acts'),
            cell: (invitation) => (
              <div className={styles.rowActs}>
                <Button size="xs" onClick={() => setAsked(invitation)}>
                  {t('withdraw')}
                </Button>
              </div>
            ),
          },
        ]}
      />
      <Confirm
        isOpen={asked !== null}
        title={t('withdraw_title', { email: asked?.email ?? '' })}
        act={t('withdraw_act')}
        send={() =>
          asked && accountApi.delete('/invitations/:invitationId', { invitationId: asked.id })
        }
        done={t('withdrawn')}
        onClose={() => setAsked(null)}
      >
        {t('withdraw_why')}
      </Confirm>
    </Panel>
  )
}

/** The rule whether the account requires two-factor authentication, which Owners can change. */
function TeamSecondFactor() {
  const t = useWords(teamWords)
  const { account } = useSession()
  const { own } = useMay()
  const isNeeded = account.needsSecondFactor
  return (
    <Panel
      title={t('second_factor')}
      end={
        own && (
          <ConfirmButton
            label={t(isNeeded ? 'no_want' : 'want')}
            button={{ size: 'xs' }}
            title={t(isNeeded ? 'no_want_title' : 'want_title')}
            send={() => accountApi.put('/account/second-factor', { isNeeded: !isNeeded })}
            done={t(isNeeded ? 'factor_left' : 'factor_wanted')}
          >
            {t(isNeeded ? 'no_want_text' : 'want_text')}
          </ConfirmButton>
        )
      }
    >
      <Pill tone={isNeeded ? 'ok' : 'off'} icon={isNeeded ? 'ok' : 'person'}>
        {t(isNeeded ? 'factor_needed' : 'factor_free')}
      </Pill>
      <p className={layout.help}>{t('factor_why')}</p>
      {!own && <p className={layout.help}>{t('only_owner')}</p>}
    </Panel>
  )
}
